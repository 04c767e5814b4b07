"""BLAS with one thread a call while our own threads work, whoever imports us.

Our threads are the parallelism. BLAS threads beside them wait for each other by spinning: with both, a fit took up to
twenty times as long beside other work.
"""

from contextlib import ContextDecorator
from functools import cached_property
from threading import Lock
from types import TracebackType

import scipy.linalg  # noqa: F401 - loads SciPy's BLAS, which is another one than NumPy's
from threadpoolctl import LibController, OpenBLASController, ThreadpoolController


class _OneThread(ContextDecorator):
    """While anybody is inside, in any thread, every BLAS of the process has one thread a call; then as before.

    OpenBLAS has one number for the whole process, and threadpoolctl lets only the thread that set it set it anew. So
    each of our settings is given free at once: who leaves last need not be who came first. Where another thread holds
    a limit of its own all the while, that one stays.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0

    @cached_property
    def _libraries(self) -> list[LibController]:
        found: list[LibController] = ThreadpoolController().select(user_api="blas").lib_controllers
        return found

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._set = [(library, n) for library in self._libraries if (n := library.num_threads) != 1]
                for library, _ in self._set:
                    library.set_num_threads(1)
                OpenBLASController.clear_controlling_thread()
            self._inside += 1

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                for library, number in self._set:
                    library.set_num_threads(number)
                OpenBLASController.clear_controlling_thread()


one_thread = _OneThread()
"""A context and a decorator; may be entered again and from several threads."""
