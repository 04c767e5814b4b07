"""What more budget would buy: predicted from a released file alone, before anything is paid.

Ranges: the method runs on documents drawn from the released topics, at the budget paid and at larger ones; the ratio of
their ranges is the prediction. Parts of topics: their noise is known, now and later. That they grow is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dplda.core.types import Matrix, Report, Vector, silent
from dplda.corpus import MOST_TOKENS, Truth
from dplda.corpus.simulation.simulate import draw_documents
from dplda.methods.base.method import Method
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.constants import MAX_DOCUMENT_LENGTH, MAX_TOPIC_LOSS, RefinedConstants
from dplda.methods.refined.evidence import evidence_sensitivity
from dplda.methods.refined.schedule import evidence_share
from dplda.methods.registry import find_method
from dplda.privacy.accounting import gaussian
from dplda.release.artefact.artefact import Artefact, Findings
from dplda.release.artefact.released_file import read_release
from dplda.spectral.topics import match

MORE = (1.5, 2.0, 3.0)  # times the budget
LEADING = 8  # words of a topic whose ranges are compared
STEADY = 0.5  # largest range of a topic's leading words, over their probability: in noisier ones ε changes the words
MOST_DRAWN = 50_000  # documents; of more, these with as much less noise
SMALLEST = 1e-3  # of an equal share


@dataclass(frozen=True, slots=True)
class Outlook:
    """What ``epsilon`` for topics would give.

    Attributes:
        width: of ranges, as a fraction of what they are now; None where noise still decides what topics are.
        above_noise: how many topics would have a part beyond the noise.
    """

    epsilon: float
    width_ratio: float | None
    n_supported: int

    def in_words(self, n_topics: int) -> str:
        """What to expect, as a sentence."""
        then = f"With ε = {self.epsilon:g} for topics,"
        topics = f"{self.n_supported} of {n_topics} topics would have a part"
        if self.width_ratio is None:
            return f"{then} {topics} beyond the noise. Noise still decides some words, so no range is predicted."
        less = max(0.0, 1 - self.width_ratio)
        return f"{then} ranges would be about {less:.0%} narrower, and {topics} beyond the noise."


def predict_outlooks(
    file: bytes,
    method: MethodSpec,
    epsilon: float,
    delta: float,
    report: Report,
) -> tuple[Outlook, ...]:
    """The outlook now, and at ``MORE`` times the budget (ε, δ) that topics got."""
    one = read_release(file, "the release")
    evidence = one.evidence
    assert evidence is not None
    epsilons = [more * epsilon for more in (1.0, *MORE)]
    mus = [gaussian.mu_for(each, delta) for each in epsilons]
    known = find_method(method)
    widths: Sequence[float | None] = predicted_interval_widths(one, known, mus, delta, report) or [
        None
    ] * len(mus)
    least = [
        evidence.noise_threshold * remaining_noise(one, evidence.topic_noise, mus[0], mu)
        for mu in mus
    ]
    above = [int(np.sum(evidence.by_topic > each)) for each in least]
    return tuple(map(Outlook, epsilons, widths, above))


def remaining_noise(one: Artefact, noise: float, paid: float, total: float) -> float:
    """Noise of a topic's part after continuing to ``total``, as a fraction of what it is now.

    Args:
        noise: standard deviation of a topic's part now, in nats.
        paid: ``μ`` of all releases so far.
        total: ``μ`` of these and the next one together; where it adds nothing, the noise stays.
    """
    if total <= paid:
        return 1.0
    n_documents, added_mu = one.n_documents, gaussian.remaining_mu(total, paid)
    share = evidence_share(RefinedConstants(), n_documents, added_mu, total_mu=total)
    evidence_mu = gaussian.mu_of_share(added_mu, share)
    return (
        evidence_sensitivity(n_documents, one.n_topics)
        / (n_documents * evidence_mu * MAX_TOPIC_LOSS)
        / noise
    )


def predicted_interval_widths(
    one: Findings, method: Method, mus: Sequence[float], delta: float, report: Report = silent
) -> list[float]:
    """Ranges at Gaussian budgets ``mus``, as fractions of those at the first; empty where noise decides topics."""
    if not topics_are_stable(one):
        return []
    assert one.evidence is not None
    assert one.n_documents is not None
    rng, length = (
        np.random.default_rng(0),
        min(MAX_DOCUMENT_LENGTH, 2 * one.evidence.length),
    )  # half of the words are scored
    n = max(1, min(one.n_documents, MOST_DRAWN, int(MOST_TOKENS / length)))
    shares: Vector = np.maximum(one.topic_shares, SMALLEST / len(one.topic_shares))
    truth = Truth(
        one.topics / np.sum(one.topics, axis=1, keepdims=True), one.alpha0 * shares / np.sum(shares)
    )
    corpus, found = draw_documents(truth, n, length, rng=rng, vocabulary=one.vocabulary), []
    for number, mu in enumerate(mus):
        report(number / len(mus), f"Run {number + 1} of {len(mus)} on simulated documents")
        budget = Budget(gaussian.epsilon_for(mu * one.n_documents / n, delta), delta)
        run = method.fit(corpus, Problem(one.n_topics, one.alpha0), budget, Runtime(0))
        if run.uncertainty is None:
            return []
        lower, upper = (
            ends[match(one.topics, run.topics.words)] for ends in run.uncertainty.interval()
        )
        if not topics_are_stable(
            replace(one, lower=lower, upper=upper)
        ):  # here noise decided, so it may in the release
            return []
        found.append(_leading(upper - lower, one.topics))
    return [float(np.median(ranges / found[0])) for ranges in found]


def topics_are_stable(one: Findings) -> bool:
    """Whether noise is so small that a larger ε would sharpen topics instead of changing them."""
    if (
        one.evidence is None
        or one.lower is None
        or one.upper is None
        or not all(one.evidence.is_above_noise)
    ):
        return False
    return bool(
        np.all(
            np.median(_leading((one.upper - one.lower) / one.topics, one.topics), axis=1) <= STEADY
        )
    )


def _leading(values: Matrix, words: Matrix) -> Matrix:
    """Values of each topic's most probable words, shape (k, LEADING)."""
    return np.asarray(np.take_along_axis(values, np.argsort(-words, axis=1)[:, :LEADING], axis=1))
