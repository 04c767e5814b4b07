"""The noise of a refinement before a run, from public numbers, for either outcome of its first release."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from dplda.methods.base.problem import Budget, Problem
from dplda.methods.configurations.adaptive import ADAPTIVE
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.configurations.variant import Calibration
from dplda.methods.refined.evidence import evidence_sensitivity
from dplda.methods.refined.schedule import (
    ASSUMED_PRIOR_ADVANTAGE,
    GAIN,
    GATE,
    STATISTIC,
    WORDS,
    RefinedConstants,
    noise_edge,
    prior_acceptance_threshold,
)
from dplda.methods.refined.spectral_start import split_start_share
from dplda.privacy.accounting import gaussian
from dplda.privacy.sensitivity import bounded_numbers
from dplda.privacy.sensitivity import word_counts as sensitivity_of

ALWAYS, FREE, BOUGHT = "always", "no spectral start", "spectral start"
KEPT = "a table in place of steps"
Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ForecastRelease:
    """Known facts, before a run, on releases of one kind.

    Attributes:
        shape: of each release; empty for several quantities together.
        sensitivity: largest L2 change by one replaced document; NaN where a released clip level decides.
        scales: least and largest noise standard deviation of an entry, for each release; NaN likewise.
        share: least and largest fraction of the run's μ² for all of them together.
    """

    edge: str
    symbols: str
    quantity: str
    shape: tuple[int, ...]
    when: str
    law: str
    sensitivity: float
    scales: tuple[Range, ...]
    share: Range
    why: str

    @property
    def times(self) -> int:
        """Number of releases."""
        return len(self.scales)


def forecast_releases(
    problem: Problem,
    budget: Budget,
    n_documents: int,
    n_words: int,
    *,
    constants: RefinedConstants | None = None,
    tests_prior: bool = False,
    prior_is_trusted: bool = False,
) -> tuple[ForecastRelease, ...]:
    """The noise of a run of this size (N, d), for every outcome of its first release, whatever the documents.

    ``asks`` and ``trusts`` say what is done with a table.
    """
    constants, mu, k = (
        constants or RefinedConstants(),
        gaussian.mu_for(budget.epsilon, budget.delta),
        problem.n_topics,
    )
    edge, planned = noise_edge(n_documents, n_words, mu), partial(_planned, mu)
    clipped = sensitivity_of(
        n_documents=n_documents, n_words=n_words, n_topics=k, clip_norm=constants.clip_norm
    )
    asked, gained = (
        constants.for_gate(n_documents, mu) if tests_prior else 0.0,
        constants.for_evidence(n_documents, mu),
    )
    whole = 1 - asked - gained
    words = whole * constants.for_words(edge)
    starts = [
        (whole - words) * share
        for share in (0.0, constants.least_share(problem.alpha0), constants.largest_start_share)
    ]
    free, most, least = (constants.shares(words, start, whole) for start in starts)
    kept = edge >= constants.prior_only_noise * (
        ASSUMED_PRIOR_ADVANTAGE if prior_is_trusted else prior_acceptance_threshold(n_documents, mu)
    )
    rows = [planned(WORDS, (n_words,), clipped, [words])]
    if kept and (prior_is_trusted or asked):
        rows.append(
            planned(
                WORDS,
                (n_words,),
                clipped,
                [whole - words],
                when=ALWAYS if prior_is_trusted else KEPT,
            )
        )
    if not (kept and prior_is_trusted):
        rows.append(
            planned(
                STATISTIC,
                (k, n_words),
                clipped,
                free,
                when=FREE if constants.max_start_noise else ALWAYS,
            )
        )
        if constants.max_start_noise:
            rows += _start(*starts[1:])
            rows.append(planned(STATISTIC, (k, n_words), clipped, least, most, when=BOUGHT))
    if asked:
        rows.append(
            planned(
                GATE,
                (1,),
                bounded_numbers(n_documents=n_documents, vector_norm=1.0, vector_distance=2.0),
                [asked],
            )
        )
    return (*rows, planned(GAIN, (2 + k,), evidence_sensitivity(n_documents, k), [gained]))


def forecast_word_counts(
    problem: Problem, budget: Budget, n_documents: int, n_words: int
) -> tuple[ForecastRelease, ...]:
    """The one release of a private unigram of this size, with the whole budget."""
    clipped = sensitivity_of(
        n_documents=n_documents, n_words=n_words, n_topics=1, clip_norm=RefinedConstants().clip_norm
    )
    return (
        _planned(gaussian.mu_for(budget.epsilon, budget.delta), WORDS, (n_words,), clipped, [1.0]),
    )


def _planned(
    mu: float,
    of: Quantity,
    shape: tuple[int, ...],
    apart: float,
    *shares: Sequence[float],
    when: str = ALWAYS,
) -> ForecastRelease:
    """Releases by their shares of ``mu²``: one list, or one of the least and one of the largest."""
    low, high = shares[0], shares[-1]
    law = "Gaussian on every entry" if len(shape) > 1 else "Gaussian on every coordinate"
    most, least = (
        [apart / gaussian.mu_of_share(mu, share) * (1 + 1e-15) for share in ends]
        for ends in (low, high)
    )
    scales, share = tuple(zip(least, most, strict=True)), (math.fsum(low), math.fsum(high))
    return ForecastRelease(
        of.edge, of.symbol, of.words, shape, when, law, apart, scales, share, of.why
    )


def _start(low: float, high: float) -> Iterator[ForecastRelease]:
    for edge in ADAPTIVE.edges:
        here = [
            one for one in ADAPTIVE.variants[Calibration.CORRECTED].quantities if one.edge == edge
        ]
        symbols, words = ", ".join(one.symbol for one in here), ", ".join(one.words for one in here)
        least, most = (
            math.fsum(split_start_share(share)[one.name] for one in here) for share in (low, high)
        )
        why, later = " ".join(one.why for one in here), ((math.nan, math.nan),)
        yield ForecastRelease(
            edge, symbols, words, (), BOUGHT, "Gaussian", math.nan, later, (least, most), why
        )
