"""One BLAS thread a call while a fit runs, and afterwards as many as the caller had."""

from threading import Barrier, Thread

import pytest
from threadpoolctl import ThreadpoolController

from dplda import Plan
from dplda.core.threads import one_thread, release_setting
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.methods.dpvi.accounting import Accountant
from dplda.methods.dpvi.noiseless import fit_noiseless_variational
from dplda.methods.dpvi.private_variational import run_variational
from dplda.methods.dpvi.settings import VariationalSettings
from dplda.methods.refined.algorithm import fit_refined
from dplda.methods.refined.documents.noiseless import fit_noiseless
from tests.tiny_corpora import topical_corpus

CORPUS = topical_corpus(0, n_documents=300)
QUICK = VariationalSettings(sampling_rate=0.5, epochs=1.0, accountant=Accountant.CLASSIC)
LIBRARIES = ThreadpoolController().select(user_api="blas")
EXACT = fit_spectral(CORPUS, None, Problem(3, 1.0)).topics


@pytest.fixture(autouse=True)
def two_threads():
    """As a process has where nobody asked for another number."""
    limit = LIBRARIES.limit(limits=2)
    release_setting()
    assert blas_threads() == {2}, "a BLAS that cannot be told how many threads to use"
    yield
    limit.restore_original_limits()
    release_setting()


def blas_threads() -> set[int]:
    return {library["num_threads"] for library in LIBRARIES.info()}


METHODS = {
    "spectral": lambda report: fit_spectral(CORPUS, None, Problem(3, 1.0), Runtime(report=report)),
    "adaptive": lambda report: fit_spectral(
        CORPUS, Plan("adaptive", 1.0), Problem(3, 1.0), Runtime(report=report)
    ),
    "refined": lambda report: fit_refined(
        CORPUS, Problem(3, 1.0), Budget(1.0, 1e-7), Runtime(report=report)
    ),
    "passes": lambda report: fit_noiseless(CORPUS, EXACT, alpha0=1.0, n_passes=2, report=report),
    "variational": lambda report: fit_noiseless_variational(
        CORPUS, Problem(3, 1.0), Runtime(report=report)
    ),
    "private variational": lambda report: run_variational(
        CORPUS, Problem(3, 1.0), Budget(1.0, 1e-7), Runtime(report=report), settings=QUICK
    ),
}


@pytest.mark.parametrize("name", METHODS)
def test_fit_holds_blas_to_one_thread_until_it_ends(name: str) -> None:
    threads_seen = []
    METHODS[name](lambda fraction, step: threads_seen.append(blas_threads()))
    assert len(threads_seen) > 1
    assert all(threads == {1} for threads in threads_seen)
    assert blas_threads() == {2}


def test_thread_limit_of_two_that_end_crosswise_is_restored() -> None:
    entered, left_barrier = Barrier(2, timeout=60), Barrier(2, timeout=60)
    threads_seen = []

    def first() -> None:
        with one_thread:
            entered.wait()
        left_barrier.wait()

    thread = Thread(target=first)
    thread.start()
    with one_thread:
        entered.wait()
        left_barrier.wait()
        threads_seen.append(blas_threads())
    thread.join()
    assert threads_seen == [{1}]
    assert blas_threads() == {2}
