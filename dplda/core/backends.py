"""Engines other than threads, joblib's processes and a Dask cluster: the same sums, bit for bit.

Workers receive parts of documents, or their place on disk, and return sums. Noise, keys and ledgers
stay in the process that fits. Parts travel as pickles, which a worker executes: use only a
scheduler that you trust with the documents and with this machine.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, TypeVar

from dplda.core.engine import Engine, Serial, Threads, in_order, using, workers
from dplda.core.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Future

    from distributed import Client

A = TypeVar("A")
B = TypeVar("B")

NAMES = ("serial", "threads", "joblib", "dask")
PATIENCE = 30.0
"""Seconds to wait for a scheduler."""
_LIMIT = {"distributed.scheduler.no-workers-timeout": "10 minutes"}  # of workers on this machine
_NOT_INTERRUPTED = (
    "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"  # Ctrl+C is for the parent
)


class Joblib:
    """The backend of joblib's ``parallel_config``, by default one process per processor."""

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Yield the function of every item, in order, computed by the workers of joblib.

        As many items are computed ahead as there are workers.

        Raises:
            InputError: a worker was killed.
        """
        from joblib import Parallel, delayed
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        parallel = Parallel(
            n_jobs=workers(), return_as="generator", batch_size=1, pre_dispatch="n_jobs"
        )
        try:
            yield from parallel(delayed(function)(item) for item in items)
        except TerminatedWorkerError:
            raise _worker_died("joblib") from None


class Dask:
    """The workers of a Dask cluster; another worker repeats the part of one that died.

    Args:
        client: connected; workers must find stored documents under the same path as this process.
    """

    def __init__(self, client: "Client") -> None:
        self._client = client

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Yield the function of every item, in order, computed by the cluster's workers.

        Two items are computed ahead for each of their threads.

        Raises:
            InputError: a worker died, and none took its part over.
        """
        import dask
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError
        from distributed.scheduler import NoWorkerError

        def submit(item: A) -> "Future[B]":
            with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
                future: Future[B] = self._client.submit(function, item, pure=False)
            return future

        try:
            n_threads = sum(self._client.nthreads().values())
            max_waiting = 2 * max(1, n_threads)
            yield from in_order(submit, items, max_waiting)
        except (KilledWorker, FutureCancelledError, NoWorkerError):
            raise _worker_died("dask") from None


def check_engine(name: str, scheduler: str | None) -> None:
    """Refuse an unknown engine, and a scheduler for any engine but Dask.

    Arguments as in ``computing_with``. Whether the scheduler answers is not checked.

    Raises:
        InputError: the engine is unknown, or a scheduler is given for another engine.
    """
    if name not in NAMES:
        raise InputError("engine", ", ".join(NAMES), "another one")
    if scheduler is not None and name != "dask":
        raise InputError("scheduler", "left out unless the engine is dask", "one")


@contextmanager
def computing_with(name: str, scheduler: str | None = None) -> Iterator[None]:
    """Compute this thread's sums over documents with an engine of ``NAMES`` until the block ends.

    A client of Dask, and workers that were started for it, end with the block.

    Args:
        name: one of ``NAMES``.
        scheduler: address of a Dask scheduler, e.g. ``tcp://host:8786``; None starts workers on
            this machine.

    Raises:
        InputError: the engine is unknown, its library is missing, or no scheduler answers.
    """
    check_engine(name, scheduler)
    local_engines: dict[str, Engine] = {
        "serial": Serial(),
        "threads": Threads(),
        "joblib": Joblib(),
    }
    with ExitStack() as stack:
        engine = local_engines.get(name) or Dask(_client(stack, scheduler))
        with using(engine):
            yield


def _client(stack: ExitStack, scheduler: str | None) -> "Client":
    """Open a client of a scheduler, or of a new cluster on this machine; it ends with the stack.

    A new cluster has ``workers()`` processes of one thread each, which ignore Ctrl+C.
    A given scheduler has ``PATIENCE`` seconds to answer, and as many to have a worker.

    Args:
        stack: closes the client, and the cluster that was started for it.
        scheduler: address; None for a cluster of its own.

    Raises:
        InputError: the library is missing, or no scheduler with workers answers.
    """
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        fix = "Install it: pip install 'dplda[dask]'."
        raise InputError(
            "the library for this engine", "installed", "no module distributed", fix
        ) from None
    if scheduler is None:
        cluster_options = {
            "threads_per_worker": 1,
            "dashboard_address": None,
            "silence_logs": logging.ERROR,
        }
        with dask.config.set(_LIMIT):
            cluster = LocalCluster(workers(), preload=[_NOT_INTERRUPTED], **cluster_options)
        return stack.enter_context(Client(stack.enter_context(cluster), set_as_default=False))
    try:
        client = stack.enter_context(Client(scheduler, timeout=PATIENCE, set_as_default=False))
        client.wait_for_workers(1, timeout=PATIENCE)
    except (OSError, ValueError, TypeError):
        needed_address = "the address of a Dask scheduler with running workers"
        raise InputError("scheduler", needed_address, "one that did not answer") from None
    return client


def _worker_died(engine: str) -> InputError:
    """The error of an engine whose worker was killed."""
    return InputError(
        f"the workers of {engine}",
        "alive, with memory for their part of the sums",
        "one that died",
        "Use fewer workers, or give them more memory.",
    )
