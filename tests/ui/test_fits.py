"""Fits of pages in processes of the pool: the same bits, whoever is killed, and no file of sensitive documents."""

import gc
import os
import pickle
import signal
import tempfile
from pathlib import Path

import pytest

from dplda import simulate
from dplda.core.types import silent
from dplda.corpus import Corpus, Label, disk_cache
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.methods.base.method import FitResult
from dplda.methods.registry import parse_method
from dplda.privacy.noise.keys import Secret
from dplda.ui.state import cache
from dplda.ui.state.cache import POOL, Caches
from tests.asking import fitted_by, settings_of


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return simulate(n_documents=3000, n_words=60, n_topics=3, alpha0=1.0, mean_length=40, seed=0)


def spent(text: str) -> Experiment:
    method = parse_method(text)
    return settings_of(
        method, seed=3, **({"epsilon": 8.0, "delta": 1e-6} if method.needs_epsilon else {})
    )


def bits(result: FitResult) -> bytes:
    """All but identities: a value that stands twice is written twice."""
    return b"".join(
        pickle.dumps(part)
        for part in (result.topics.words, result.topics.alpha, result.topics.mean_words)
    )


def fitted(
    corpus: Corpus, settings: Experiment, secret: Secret | None = None, report=silent
) -> FitResult:
    return cache.make_and_keep_fit(Caches(), corpus, settings, None, secret, report)


@pytest.mark.parametrize(
    "text", ["unnoised", "refined", "adaptive", "config-1/as published", "private-unigram"]
)
def test_fit_in_a_worker_equals_that_of_this_process_bit_for_bit(text, corpus) -> None:
    assert bits(fitted(corpus, spent(text))) == bits(fitted_by(spent(text), corpus))


def test_fit_whose_worker_is_killed_keeps_its_secret_draw(corpus, capfd) -> None:
    secret, killed = Secret(), []
    sensitive = Corpus.from_counts(corpus.counts, label=Label.SENSITIVE, name="mail")

    def report(share: float, line: str) -> None:
        if (
            line == "counting words" and not killed
        ):  # the first that it says, which is never left out
            killed.append(POOL._busy[0].process.pid)
            os.kill(killed[0], signal.SIGKILL)

    assert bits(fitted(sensitive, spent("refined"), secret, report)) == bits(
        fitted_by(spent("refined"), sensitive, secret=secret)
    )
    assert killed
    assert capfd.readouterr() == ("", "")


def test_sensitive_documents_leave_files_or_processes_with_their_session(
    corpus,
) -> None:
    def files() -> set[str]:
        places = (Path(tempfile.gettempdir()), disk_cache.folder(), Path("/dev/shm"))
        names = (path for place in places for path in place.glob("*dplda*"))
        return {
            str(path) for path in names if not path.name.startswith("dplda-tests-")
        }  # which tests beside make

    def opened(process: int | str) -> set[str]:
        return {
            os.readlink(path) for path in Path(f"/proc/{process}/fd").iterdir() if path.is_symlink()
        }

    files_before = files()
    sensitive = Corpus.from_counts(corpus.counts, label=Label.SENSITIVE, name="mail")
    caches, settings = Caches(), spent("refined")
    cache.make_and_keep_fit(caches, sensitive, settings, None, Secret(), silent)
    handed = caches.counts.get(HeldDocuments.of_corpus(sensitive))
    (process,) = (worker.process for worker in POOL._idle if handed.key in worker.seen)
    assert not [path for path in opened(process.pid) - opened("self") if Path(path).is_file()]
    assert files() <= files_before
    del caches, handed
    gc.collect()
    process.wait(60)
