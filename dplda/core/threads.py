"""One BLAS thread per call while dplda's own threads work.

BLAS threads wait for each other by spinning: with both kinds of threads, a fit took up to twenty
times as long on a busy machine.
"""

from contextlib import ContextDecorator
from threading import Lock
from types import TracebackType

import scipy.linalg  # noqa: F401 - loads SciPy's own BLAS
from threadpoolctl import LibController, OpenBLASController, ThreadpoolController


def release_setting() -> None:
    """Let any thread change the number of BLAS threads that this one has set."""
    if hasattr(OpenBLASController, "clear_controlling_thread"):  # from threadpoolctl 3.8 on
        OpenBLASController.clear_controlling_thread()


class _OneThread(ContextDecorator):
    """While any thread is inside, every BLAS uses one thread per call; afterwards as before.

    OpenBLAS has one number for the whole process, and threadpoolctl from 3.8 on lets only the
    thread that set it change it. So every setting is released at once, because the last thread to
    leave need not be the first that entered. A limit that another thread holds stays. The libraries
    are NumPy's and SciPy's, and others that are loaded before this module: looking for them takes
    as long as a small fit, so it is a part of the import.
    """

    def __init__(self) -> None:
        """Find the libraries of linear algebra whose threads can be set."""
        self._lock = Lock()
        self._inside = 0
        libraries = ThreadpoolController().select(user_api="blas")
        self._libraries: list[LibController] = libraries.lib_controllers

    def __enter__(self) -> None:
        """Set every library to one thread; within another such block nothing changes."""
        with self._lock:
            if not self._inside:
                libraries_with_threads = [
                    (library, library.num_threads) for library in self._libraries
                ]
                self._set = [
                    (library, n_threads)
                    for library, n_threads in libraries_with_threads
                    if n_threads != 1
                ]
                for library, _ in self._set:
                    library.set_num_threads(1)
                release_setting()
            self._inside += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Set the libraries back when the last block ends; an error is raised as it is."""
        with self._lock:
            self._inside -= 1
            if not self._inside:
                for library, n_threads in self._set:
                    library.set_num_threads(n_threads)
                release_setting()


one_thread = _OneThread()  # a context manager and decorator; reentrant, also from several threads
