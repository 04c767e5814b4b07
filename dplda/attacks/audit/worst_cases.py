"""For every release of every proven configuration, two neighbours that its noise has most to do to hide.

Each comes with the answers to the releases before it, on which its claim is conditional, and with a plan that gives it
98 % of the budget, so that its noise and the promise of the whole plan nearly meet.
"""

import math
from dataclasses import dataclass, field, replace

import numpy as np

from dplda.attacks.audit import looks
from dplda.attacks.audit.attack import Gaussian, Rates, Seen, bits_are_read
from dplda.attacks.audit.conditional import Answers, ConditionalDraws, drawn
from dplda.attacks.audit.evidence import Measure, pure_epsilon
from dplda.attacks.audit.looks import Look
from dplda.attacks.audit.neighbours import Pair, Rows, corpus_of, neighbours, opposite_directions
from dplda.attacks.audit.promise import MOST, AuditedPromise
from dplda.attacks.audit.sabotage import Sabotage
from dplda.core.types import Matrix, Tensor3, Vector
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.adaptive import COUNTS_AGAIN, COUNTS_FIRST
from dplda.methods.configurations.pairs_then_tensor import TRIPLES
from dplda.methods.configurations.variant import Calibration, NoiseLaw, Scaling, Variant
from dplda.methods.plan import Plan
from dplda.methods.shrinkage.words_first import LEAST
from dplda.privacy import gaussian
from dplda.spectral.cumulants import Coefficients

CELLS = 2  # cells of a histogram that two documents of one word each differ in
AGAIN = {COUNTS_AGAIN.name: TRIPLES.name}  # spends what was for the tensor
ROOT = math.sqrt(2)  # non-negative parts of length 1 are at most so far apart


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseAttack(Gaussian):
    """One release, and how it is attacked.

    Attributes:
        scaling: how its noise is scaled.
        reach: how far apart the values of the two are, as a fraction of the sensitivity; below 1 only where a
            sensitivity is a bound that nothing is known to attain.
        apart: the sensitivity over the length of one document's part, to which noise is scaled as published.
    """

    configuration: str
    scaling: Scaling
    stream: str
    share: str
    one: Rows
    two: Rows
    look: Look
    answers: Answers = field(default_factory=dict)
    n_topics: int = 2
    alpha0: float = 1.0
    clip_quantile: float | None = None
    reach: float = 1.0
    apart: float = 1.0
    post_processed: bool = False

    @property
    def variant(self) -> Variant:
        """Of the configuration."""
        return REGISTRY[self.configuration].variants[self.scaling]

    @property
    def edge(self) -> str:
        """Where it is released."""
        return self.stream.split(" ")[0]

    @property
    def name(self) -> str:
        """Short, for a line in a picture."""
        return self.share

    @property
    def title(self) -> str:
        """What is released, and where."""
        return f"{self.edge}: {self.stream.partition(' ')[2]}"

    @property
    def laplace(self) -> bool:
        """Whether the noise is Laplace noise, whose claim is an ε, and else a μ."""
        return self.scaling is NoiseLaw.LAPLACE

    @property
    def reads_bits(self) -> bool:
        """Where noise is Laplace noise, and where neighbours have words that others lack, or none, in 2ⁿ documents."""
        return self.laplace or (self.look is looks.entries and (self.one is OPPOSITE[0] or self.one is PRESENT[0]))

    def measure(self, promise: AuditedPromise) -> Measure:
        """What is bounded: ε of Laplace noise, μ of Gaussian."""
        return pure_epsilon if self.laplace else Gaussian.measure(self, promise)

    def as_epsilon(self, value: float, promise: AuditedPromise) -> float:
        """ε of Laplace noise, or of a μ."""
        return value if self.laplace else Gaussian.as_epsilon(self, value, promise)

    def rates(self, promise: AuditedPromise, factor: float) -> Rates:
        """Laplace noise has its extreme score where each of two cells has moved all the way."""
        if not self.laplace:
            return Gaussian.rates(self, promise, factor)
        hits = 0.5**CELLS
        return np.array([hits]), np.array([hits * math.exp(-factor * MOST * promise.epsilon)])

    def composed_delta(self, promise: AuditedPromise) -> float:
        """δ at which a plan's Gaussian noise is composed."""
        return (1 - self.variant.failure) * promise.delta

    def plan(self, promise: AuditedPromise) -> Plan:
        """Nearly all of the budget for this release."""
        names, most = self.variant.names, AGAIN.get(self.share, self.share)
        even = 1 / len(names)
        split = ((name, MOST if name == most else (1 - MOST) / (len(names) - 1)) for name in names)
        return Plan(
            self.configuration,
            promise.epsilon,
            promise.delta,
            tuple(split) if most in names else tuple((name, even) for name in names),
            self.clip_quantile,
            self._first_words(),
            self.variant.calibration,
            self.variant.law,
        )

    def _first_words(self) -> float | None:
        """Of a configuration that counts words first: most of the budget, hardly any where they are counted again."""
        if not self.variant.besides:
            return None
        return {COUNTS_FIRST.name: MOST, COUNTS_AGAIN.name: LEAST}.get(self.share, 0.0)

    def claimed(self, promise: AuditedPromise) -> float:
        """What the whole plan promises of these neighbours: μ, or ε of Laplace noise."""
        if self.laplace:
            return promise.epsilon
        return self.reach * gaussian.mu_for(promise.epsilon, self.composed_delta(promise))

    @property
    def pair(self) -> Pair | None:
        """None for a search, which counts documents."""
        return None if self.look in (looks.counts, looks.level) else (self.one, self.two)

    def stretch(self, promise: AuditedPromise, pair: Pair, sabotage: Sabotage | None = None) -> float:
        """In L1 where noise is Laplace noise."""
        one, two = self.drawn(promise, 1, sabotage=sabotage, pair=pair)
        apart = np.ravel(self.look(one)[1] - self.look(two)[1])
        return float(np.linalg.norm(apart, 1 if self.laplace else 2)) / one.release.sensitivity

    def drawn(
        self,
        promise: AuditedPromise,
        draws: int,
        seed: int = 0,
        sabotage: Sabotage | None = None,
        pair: Pair | None = None,
    ) -> tuple[ConditionalDraws, ConditionalDraws]:
        """Draws on both, or on other neighbours; their noise has nothing in common, unless that is the sabotage."""
        one, two = (
            drawn(
                corpus_of(rows, persons=promise.persons, sabotage=sabotage),
                self.plan(promise),
                self.stream,
                self.answers,
                draws=draws,
                seed=2 * seed + side,
                n_topics=self.n_topics,
                alpha0=self.alpha0,
                noise=promise.noise,
                sabotage=sabotage,
                apart=self.apart,
            )
            for side, rows in enumerate(pair or (self.one, self.two))
        )
        return one, two

    def seen(self, promise: AuditedPromise, draws: int, seed: int = 0, sabotage: Sabotage | None = None) -> Seen:
        """Scores are logarithms of likelihood ratios, up to their place and unit."""
        one, two = self.drawn(promise, draws, seed, sabotage)
        (values, exact), (others, other) = self.look(one), self.look(two)
        bits = bits_are_read(self, promise, sabotage)
        if self.laplace:  # what is audited is the law, unless it is the bits that floating-point noise betrays
            ratio = looks.ratio if bits else looks.rounded_ratio
            scores = ratio(values, exact, other), ratio(others, exact, other)
        else:
            scores = looks.towards(values, exact, other, bits=bits), looks.towards(others, exact, other, bits=bits)
        return Seen(*scores, (values - exact) / one.release.scale)

    def __str__(self) -> str:
        return f"{self.configuration} {self.scaling} {self.stream}" + (", post-processed" * self.post_processed)


OPPOSITE = neighbours(0, 1, *[2] * 7, n_words=6)
PRESENT = neighbours(0, *[None] * 8, n_words=6)
ALONE = neighbours(0, None, *[None] * 19_999, n_words=6)  # many, so that few may lie above a level
TWO_WORDS = neighbours(0, 1, 0, 1, n_words=2)
GONE = neighbours(0, None, 0, 1, n_words=2)
HIGH = np.sqrt(0.5)


def _adaptive() -> list[ReleaseAttack]:
    known = opposite_directions(6)
    square = Coefficients(1.0).a * np.outer(known.words, known.words)
    answers: dict[str, float | Vector | Matrix | Tensor3] = {
        "e2 clip level of pair frequencies": HIGH,
        "e2 pair average": 1e4 * (known.pairs - square) + square,  # far above the noise that it is said to have
        "e2 word average": known.words,
        "e2 mean weight of a document": 1.0,
        "e6 clip level of whitened triples": 1e-4,  # less than a third of what a document may have
    }

    def audit(stream: str, share: str, rows: tuple[Rows, Rows], look: Look, apart: float = 1.0) -> ReleaseAttack:
        return ReleaseAttack("adaptive", Calibration.CORRECTED, stream, share, *rows, look, answers, apart=apart)

    pair_search, triple_search = "e2 clip level of pair frequencies", "e6 clip level of whitened triples"
    seen_clipped = answers | {pair_search: 0.3}
    drowned = answers | {"e2 clipped word counts": np.zeros(6), "e2 pair average": np.zeros((6, 6))}
    again = audit("e2 clipped word counts, again", COUNTS_AGAIN.name, OPPOSITE, looks.entries, ROOT)
    return [
        audit("e2 clipped word counts", COUNTS_FIRST.name, OPPOSITE, looks.entries, ROOT),
        replace(again, answers=drowned),
        audit(pair_search, "pair clip", PRESENT, looks.counts),
        replace(audit(pair_search, "pair clip", PRESENT, looks.level), clip_quantile=1.0, post_processed=True),
        replace(audit("e2 pair average", "pairs", OPPOSITE, looks.pairs, ROOT), answers=seen_clipped),
        audit("e2 word average", "words", OPPOSITE, looks.entries, ROOT),
        audit("e2 mean weight of a document", "mass", PRESENT, looks.entries),
        audit(triple_search, "triple clip", PRESENT, looks.counts),
        replace(audit(triple_search, "triple clip", ALONE, looks.level), post_processed=True),
        audit("e6 whitened triple average", "triples", OPPOSITE, looks.isotropic, 2.0),
    ]


def _plain(configuration: str, scaling: Scaling, edge: str, *back: str) -> list[ReleaseAttack]:
    """As many topics as words: the whitener is square, and what is seen through it is as good as unseen."""
    large = np.diag([3e4, 2e4])  # far above the noise that it is said to have
    answers: dict[str, float | Vector | Matrix | Tensor3] = {
        f"{edge} pair average": large,
        f"{edge} word average": np.array([0.6, 0.4]),
        f"{edge} mean weight of a document": 1.0,
        "e8 pair average": large,
    }
    two_parts = 2.0 if scaling is NoiseLaw.LAPLACE else ROOT

    def audit(stream: str, share: str, rows: tuple[Rows, Rows], look: Look, apart: float = two_parts) -> ReleaseAttack:
        return ReleaseAttack(configuration, scaling, stream, share, *rows, look, answers, apart=apart)

    return [
        audit(f"{edge} pair average", "pairs", TWO_WORDS, looks.pairs),
        audit(f"{edge} word average", "words", TWO_WORDS, looks.entries),
        audit(f"{edge} mean weight of a document", "mass", GONE, looks.entries, apart=1.0),
        *[audit(stream, "pairs for W†", TWO_WORDS, looks.pairs) for stream in back],
        audit("e3 triple average, seen whitened", "triples", TWO_WORDS, looks.triples),
    ]


def _aligned() -> list[ReleaseAttack]:
    """With α0 near 0 the moments are averages of pairs and triples, and documents of one word make them diagonal."""
    words, triple_words = (0,) * 4 + (1,) * 3 + (2,) * 2, (0,) * 9_999 + (1,) * 10_000
    sharper, nearer = neighbours(1, 0, *words, n_words=3), neighbours(2, 1, *words, n_words=3)
    halves = neighbours(0, 1, *triple_words, n_words=3)
    answers: dict[str, float | Vector | Matrix | Tensor3] = {
        "e8 pair moment": np.diag([3e4, 2e4, 0.0]),
        "e6 k-th eigenvalue of M2": 0.5,
        "e6 gap after the k-th eigenvalue": 0.5,
        "e6 largest word frequency": 0.5,
        "e6 largest pair frequency": 0.5,
    }

    turned = 2 / (1 + ROOT)

    def audit(
        stream: str, share: str, rows: tuple[Rows, Rows], look: Look, apart: float = 1.0, reach: float = 1.0
    ) -> ReleaseAttack:
        how = Calibration.CORRECTED
        return ReleaseAttack(
            "config-2", how, stream, share, *rows, look, answers, alpha0=1e-6, reach=reach, apart=apart
        )

    at_one = math.sqrt(2 + 4 * Coefficients(1.0).a ** 2)
    return [
        replace(audit("e8 pair moment", "e8", OPPOSITE, looks.isotropic, at_one), alpha0=1.0),
        audit("e6 k-th eigenvalue of M2", "σk", sharper, looks.entries, 2.0, turned),
        audit("e6 gap after the k-th eigenvalue", "gap", nearer, looks.entries, 4.0, turned),
        audit("e6 largest word frequency", "largest word", sharper, looks.entries),
        audit("e6 largest pair frequency", "largest pair", sharper, looks.entries),
        # the values are 2/N apart, Theorem 5′ allows 16/N
        audit("e6 whitened tensor in a private frame", "e6", halves, looks.isotropic, reach=1 / 8),
    ]


AUDITS = [
    *_adaptive(),
    *_plain("shared-moment", Calibration.CORRECTED, "e2"),
    *_plain("config-1", Calibration.CORRECTED, "e4", "e8 pair average"),
    *_plain("config-1", NoiseLaw.LAPLACE, "e4", "e8 pair average"),
    *_aligned(),
]
