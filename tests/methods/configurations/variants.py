"""Every configuration in every calibration, and every way through the code, for tests that hold of all of them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import numpy as np
import pytest

from dplda import Plan
from dplda.core import engine
from dplda.core.errors import NoFiniteNoise, NoTopics
from dplda.methods.base.calibration import Scaling
from dplda.methods.base.method import FitResult
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.variant import Variant
from dplda.privacy.noise.sources import NoiseSource
from dplda.privacy.release import Status
from dplda.spectral import documents, eigenpairs, moments
from dplda.spectral.corpus_statistics import StatisticsCache
from tests.methods.configurations.replay import Watched, recorded
from tests.privacy.sources import TamperedNoise
from tests.tiny_corpora import topical_corpus

CORPUS = topical_corpus(1, n_documents=1000)
EPSILON = 1000.0
MORE = {
    "config-3": 1e6,
    "config-4": 1e6,
}  # at 1000 their topics are noise already, and more of it changes nothing


@dataclass(frozen=True, slots=True)
class Entry:
    """A configuration and how its noise is scaled."""

    name: str
    calibration: Scaling

    @property
    def variant(self) -> Variant:
        return REGISTRY[self.name].variants[self.calibration]

    @property
    def proven(self) -> bool:
        return self.variant.status is Status.PROVEN

    @property
    def releases(self) -> int:
        """How many a run makes that finds topics."""
        return len(self.variant.names) + (self.name == "adaptive")  # words first

    def plan(self, epsilon: float | None = None, delta: float = 1e-7) -> Plan:
        """At an ε where noise is small against the topics, unless another is given."""
        return Plan(
            self.name, epsilon or MORE.get(self.name, EPSILON), delta, calibration=self.calibration
        )

    def __str__(self) -> str:
        return f"{self.name} {self.calibration}"


ENTRIES = [
    Entry(name, calibration)
    for name, configuration in REGISTRY.items()
    for calibration in configuration.variants
]
PROVEN = [entry for entry in ENTRIES if entry.proven]
every_variant = pytest.mark.parametrize("entry", ENTRIES, ids=str)
every_proven_variant = pytest.mark.parametrize("entry", PROVEN, ids=str)


@contextmanager
def dense() -> Iterator[None]:
    """Few words: matrices throughout."""
    assert CORPUS.n_words <= eigenpairs.DENSE_OPERATOR
    yield


@contextmanager
def iterated() -> Iterator[None]:
    """As above ``DENSE_OPERATOR`` and ``DENSE_MATRIX`` words: un-noised moments stay operators, Lanczos throughout.

    Operators to rounding, so that what holds to rounding of a matrix is seen of them too.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(eigenpairs, "DENSE_OPERATOR", 10)
        patch.setattr(eigenpairs, "DENSE_MATRIX", 20)
        patch.setattr(eigenpairs, "TOLERANCE", 1e-12)
        yield


@contextmanager
def chunked() -> Iterator[None]:
    """Sums over many blocks of documents, dealt to three threads."""
    plain = engine.sum_over

    def in_small_blocks(*args: object, rows: int = 0, **options: object) -> object:
        return plain(*args, rows=64, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moments, "sum_over", in_small_blocks)
        patch.setattr(documents, "CHUNK_ROWS", 64)
        patch.setattr(engine, "workers", lambda: 3)
        yield


PATHS: dict[str, Callable[[], ExitStack]] = {
    "dense": dense,
    "iterated": iterated,
    "chunked": chunked,
    "cached": dense,
}
every_path = pytest.mark.parametrize("path", PATHS)
SUMS = StatisticsCache(CORPUS.counts)


def run(
    entry: Entry, path: str, source: NoiseSource, *, epsilon: float | None = None
) -> tuple[FitResult, Watched]:
    """A fit along one way through the code; along "cached" its sums were used by a fit before it."""
    with PATHS[path]():
        sums = SUMS if path == "cached" else None
        if path == "cached":
            recorded(CORPUS, entry.plan(epsilon), noise=TamperedNoise(99), sums=sums, quick=True)
        return recorded(CORPUS, entry.plan(epsilon), noise=source, sums=sums, seed=2)


def output(entry: Entry, path: str, source: NoiseSource) -> np.ndarray | None:
    """Topics and parameters in one array; None where the run refuses to say anything."""
    try:
        fitted_run, _ = run(entry, path, source)
    except (NoTopics, NoFiniteNoise):
        return None
    return np.column_stack([fitted_run.topics.words, fitted_run.topics.alpha])
