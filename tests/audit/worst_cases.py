"""For every release of every proven configuration, two neighbours that its noise has most to do to hide.

Each comes with the answers to the releases before it, on which its claim is conditional, and with a plan that gives it
98 % of the budget, so that its noise and the promise of the whole plan nearly meet.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dplda import Plan
from dplda.configurations.variant import Calibration, NoiseLaw
from dplda.privacy import gaussian
from dplda.spectral.cumulants import Coefficients
from tests.audit import looks
from tests.audit.conditional import Drawn, drawn
from tests.audit.looks import Look
from tests.configurations.replay import opposite_directions
from tests.configurations.variants import Entry
from tests.tiny_corpora import Rows, corpus_of, only

MU, EPSILON, DELTA = 2.2, 2.0, 1e-7  # of whole plans: Gaussian, Laplace
MOST = 0.98


@dataclass(frozen=True, slots=True, eq=False)
class Audit:
    """One release, and how it is attacked.

    Attributes:
        entry: configuration and calibration.
        stream: edge and quantity of the release.
        share: its name in a split.
        one, two: documents of the neighbours.
        look: what the adversary makes of a released value.
        answers: to earlier releases, by their streams.
        n_topics, alpha0, clip_quantile: public choices.
        reach: how far apart the values of the two are, as a fraction of the sensitivity; below 1 only where a
            sensitivity is a bound that nothing is known to attain. The plan's budget is divided by it.
        post_processed: whether the look loses something of what was released.
    """

    entry: Entry
    stream: str
    share: str
    one: Rows
    two: Rows
    look: Look
    answers: Mapping[str, Any] = field(default_factory=dict)
    n_topics: int = 2
    alpha0: float = 1.0
    clip_quantile: float | None = None
    reach: float = 1.0
    post_processed: bool = False

    @property
    def laplace(self) -> bool:
        return self.entry.calibration is NoiseLaw.LAPLACE

    @property
    def composed_delta(self) -> float:
        """δ at which a plan's Gaussian noise is composed."""
        return (1 - self.entry.variant.failure) * DELTA

    @property
    def plan(self) -> Plan:
        names = self.entry.variant.names
        split = tuple((name, MOST if name == self.share else (1 - MOST) / (len(names) - 1)) for name in names)
        epsilon = EPSILON if self.laplace else gaussian.epsilon_for(MU / self.reach, self.composed_delta)
        return Plan(self.entry.name, epsilon, DELTA, split, self.clip_quantile, self.entry.calibration)

    @property
    def claimed(self) -> float:
        """What the whole plan promises of these neighbours: μ, or ε of Laplace noise."""
        plan = self.plan
        return plan.epsilon if self.laplace else self.reach * gaussian.mu_for(plan.epsilon, self.composed_delta)

    def drawn(self, draws: int, seed: int = 0) -> tuple[Drawn, Drawn]:
        """Draws on both; their noise has nothing in common."""
        given = {"draws": draws, "n_topics": self.n_topics, "alpha0": self.alpha0}
        one, two = (
            drawn(corpus_of(rows), self.plan, self.stream, self.answers, seed=2 * seed + side, **given)
            for side, rows in enumerate((self.one, self.two))
        )
        return one, two

    def __str__(self) -> str:
        return f"{self.entry} {self.stream}" + (", post-processed" if self.post_processed else "")


def only_words(*words: int | None, n_words: int) -> Rows:
    """One document for each word given, which it says three times; None for an empty one."""
    return np.array([np.zeros(n_words, dtype=int) if word is None else only(word, n_words) for word in words])


def neighbours(one: int | None, two: int | None, *others: int | None, n_words: int) -> tuple[Rows, Rows]:
    """The first document says the one word or the other."""
    return only_words(one, *others, n_words=n_words), only_words(two, *others, n_words=n_words)


OPPOSITE = neighbours(0, 1, 2, 2, 2, 2, n_words=6)
PRESENT = neighbours(0, None, None, None, None, None, n_words=6)
ALONE = neighbours(0, None, *[None] * 19_999, n_words=6)  # many, so that few may lie above a level
TWO_WORDS = neighbours(0, 1, 0, 1, n_words=2)
GONE = neighbours(0, None, 0, 1, n_words=2)
HIGH = np.sqrt(0.5)


def _adaptive() -> list[Audit]:
    entry = Entry("adaptive", Calibration.CORRECTED)
    known = opposite_directions(6)
    square = Coefficients(1.0).a * np.outer(known.words, known.words)
    answers = {
        "e2 clip level of pair frequencies": HIGH,
        "e2 pair average": 1e4 * (known.pairs - square) + square,  # far above the noise that it is said to have
        "e2 word average": known.words,
        "e2 mean weight of a document": 1.0,
        "e6 clip level of whitened triples": 1e-4,  # less than a third of what a document may have
    }

    def audit(stream: str, share: str, rows: tuple[Rows, Rows], look: Look, **more: Any) -> Audit:
        return Audit(entry, stream, share, *rows, look, **{"answers": answers} | more)

    pair_search, triple_search = "e2 clip level of pair frequencies", "e6 clip level of whitened triples"
    return [
        audit(pair_search, "pair clip", PRESENT, looks.counts),
        audit(pair_search, "pair clip", PRESENT, looks.level, clip_quantile=1.0, post_processed=True),
        audit("e2 pair average", "pairs", OPPOSITE, looks.pairs, answers=answers | {pair_search: 0.3}),
        audit("e2 word average", "words", OPPOSITE, looks.entries),
        audit("e2 mean weight of a document", "mass", PRESENT, looks.entries),
        audit(triple_search, "triple clip", PRESENT, looks.counts),
        audit(triple_search, "triple clip", ALONE, looks.level, post_processed=True),
        audit("e6 whitened triple average", "triples", OPPOSITE, looks.isotropic),
    ]


def _plain(entry: Entry, edge: str, *back: str) -> list[Audit]:
    """As many topics as words: the whitener is square, and what is seen through it is as good as unseen."""
    large = np.diag([3e4, 2e4])  # far above the noise that it is said to have
    answers = {
        f"{edge} pair average": large,
        f"{edge} word average": np.array([0.6, 0.4]),
        f"{edge} mean weight of a document": 1.0,
        "e8 pair average": large,
    }

    def audit(stream: str, share: str, rows: tuple[Rows, Rows], look: Look) -> Audit:
        return Audit(entry, stream, share, *rows, look, answers)

    return [
        audit(f"{edge} pair average", "pairs", TWO_WORDS, looks.pairs),
        audit(f"{edge} word average", "words", TWO_WORDS, looks.entries),
        audit(f"{edge} mean weight of a document", "mass", GONE, looks.entries),
        *[audit(stream, "pairs for W†", TWO_WORDS, looks.pairs) for stream in back],
        audit("e3 triple average, seen whitened", "triples", TWO_WORDS, looks.triples),
    ]


def _aligned() -> list[Audit]:
    """With α0 near 0 the moments are averages of pairs and triples, and documents of one word make them diagonal."""
    entry = Entry("config-2", Calibration.CORRECTED)
    words, triple_words = (0,) * 4 + (1,) * 3 + (2,) * 2, (0,) * 9_999 + (1,) * 10_000
    sharper, nearer = neighbours(1, 0, *words, n_words=3), neighbours(2, 1, *words, n_words=3)
    halves = neighbours(0, 1, *triple_words, n_words=3)
    answers = {
        "e8 pair moment": np.diag([3e4, 2e4, 0.0]),
        "e6 k-th eigenvalue of M2": 0.5,
        "e6 gap after the k-th eigenvalue": 0.5,
        "e6 largest word frequency": 0.5,
        "e6 largest pair frequency": 0.5,
    }

    def audit(stream: str, share: str, rows: tuple[Rows, Rows], look: Look, **more: Any) -> Audit:
        return Audit(entry, stream, share, *rows, look, answers, **{"alpha0": 1e-6} | more)

    return [
        audit("e8 pair moment", "e8", OPPOSITE, looks.isotropic, alpha0=1.0),
        audit("e6 k-th eigenvalue of M2", "σk", sharper, looks.entries, reach=2 / (1 + np.sqrt(2))),
        audit("e6 gap after the k-th eigenvalue", "gap", nearer, looks.entries, reach=2 / (1 + np.sqrt(2))),
        audit("e6 largest word frequency", "largest word", sharper, looks.entries),
        audit("e6 largest pair frequency", "largest pair", sharper, looks.entries),
        # the values are 2/N apart, Theorem 5′ allows 16/N
        audit("e6 whitened tensor in a private frame", "e6", halves, looks.isotropic, reach=1 / 8),
    ]


AUDITS = [
    *_adaptive(),
    *_plain(Entry("shared-moment", Calibration.CORRECTED), "e2"),
    *_plain(Entry("config-1", Calibration.CORRECTED), "e4", "e8 pair average"),
    *_plain(Entry("config-1", NoiseLaw.LAPLACE), "e4", "e8 pair average"),
    *_aligned(),
]
