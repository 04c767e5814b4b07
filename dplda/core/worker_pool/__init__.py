"""A pool of processes that compute, each one question after the other, and end with their parent.

Questions and answers are pickled through pipes, large values lie in memory without a name, and
nothing is on disk. It is neither ``multiprocessing`` nor ``concurrent.futures``: those import the
main module anew, here a page of Streamlit, fail every task when one process dies, and can neither
report nor stop.
"""

from dplda.core.worker_pool.pool import Pool
from dplda.core.worker_pool.process import ProcessError
from dplda.core.worker_pool.shared import Shared

__all__ = ["Pool", "ProcessError", "Shared"]
