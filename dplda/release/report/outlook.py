"""A prediction of the benefit of more budget, from a released file alone, before anything is paid.

Ranges: the method runs on documents drawn from the released topics, at the budget paid and at
larger ones; the ratio of their ranges is the prediction. Parts of topics: their noise is known, now
and later. That they grow is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dplda.core.types import Matrix, Report, silent
from dplda.corpus import MOST_TOKENS, Corpus, Truth
from dplda.corpus.simulation.simulate import draw_documents
from dplda.experiments.experiment import Experiment, HeldDocuments, fit
from dplda.methods.base.method import Method
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.refined.plan.constants import (
    MAX_DOCUMENT_LENGTH,
    MAX_TOPIC_PART,
    RefinedConstants,
)
from dplda.methods.refined.plan.public_shares import evidence_share
from dplda.methods.refined.plan.sum_bounds import evidence_sensitivity, largest_parts
from dplda.methods.registry import find_method
from dplda.privacy.accounting import gaussian
from dplda.release.artefact.artefact import Artefact, Findings
from dplda.release.artefact.released_file import read_release
from dplda.spectral.topics import match

BUDGET_FACTORS = (1.5, 2.0, 3.0)
"""Budgets that are looked at, as multiples of the one that was paid."""

N_LEADING_WORDS = 8  # of a topic, whose ranges are compared
MAX_RELATIVE_RANGE = 0.5
"""Largest range of a stable topic's leading words, relative to their probability."""

MAX_SIMULATED_DOCUMENTS = 50_000  # of more, these with as much less noise
SMALLEST_SHARE = 1e-3  # of an equal share, for a topic in simulated documents


@dataclass(frozen=True, slots=True)
class Outlook:
    """A prediction for one budget.

    Attributes:
        epsilon: ε for topics.
        width_ratio: width of ranges, as a fraction of what it is now; None where noise still
            decides what topics are.
        n_supported: how many topics would have a part beyond the noise.
    """

    epsilon: float
    width_ratio: float | None
    n_supported: int

    def in_words(self, n_topics: int) -> str:
        """A sentence on what to expect: how much narrower intervals get, how many topics stand out.

        Says that no interval is predicted if ``width_ratio`` is None. Intervals that would widen
        are called 0% narrower.
        """
        budget_phrase = f"With ε = {self.epsilon:g} for topics,"
        topics_phrase = (
            f"{self.n_supported} of {n_topics} topics would have a part beyond the noise"
        )
        if self.width_ratio is None:
            return (
                f"{budget_phrase} {topics_phrase}. Noise still decides some words, so no range"
                " is predicted."
            )
        narrowing_share = max(0.0, 1 - self.width_ratio)
        return (
            f"{budget_phrase} ranges would be about {narrowing_share:.0%} narrower, and"
            f" {topics_phrase}."
        )


def predict_outlooks(
    file: bytes,
    method: MethodSpec,
    epsilon: float,
    delta: float,
    report: Report,
) -> tuple[Outlook, ...]:
    """Predict outlooks for the ε that topics got, and for ``BUDGET_FACTORS`` times it, in order.

    Each says how narrow intervals would be, and how many topics would have evidence. Where noise
    decides what topics are, outlooks have no width.

    Args:
        file: a released file with evidence.
        method: of the release.
        epsilon: ε that topics got.
        delta: δ that topics got, and would get.
        report: progress callback.

    Raises:
        ReadError: the bytes are no release that can be read.
        InputError: there is no such method.
    """
    artefact = read_release(file, "the release")
    evidence = artefact.evidence
    assert evidence is not None
    epsilons = [factor * epsilon for factor in (1.0, *BUDGET_FACTORS)]
    mus = [gaussian.mu_for(budget_epsilon, delta) for budget_epsilon in epsilons]
    relative_widths: Sequence[float | None] = predicted_interval_widths(
        artefact, find_method(method), mus, delta, report
    )
    outlooks = []
    for budget_index, mu in enumerate(mus):
        noise_ratio = remaining_noise(artefact, evidence.topic_noise, mus[0], mu)
        is_above_noise = evidence.by_topic > evidence.noise_threshold * noise_ratio
        width_ratio = None
        if relative_widths:
            width_ratio = relative_widths[budget_index]
        outlooks.append(Outlook(epsilons[budget_index], width_ratio, int(np.sum(is_above_noise))))
    return tuple(outlooks)


def remaining_noise(artefact: Artefact, noise: float, paid_mu: float, total_mu: float) -> float:
    """Noise of a topic's part after a release is continued, as a fraction of what it is now.

    The next release draws its evidence anew, with its share of the added μ.

    Args:
        artefact: the release.
        noise: standard deviation of a topic's part now, in nats.
        paid_mu: μ of all releases so far.
        total_mu: μ of these and the next one together.

    Returns:
        The fraction; 1 if ``total_mu`` adds nothing.
    """
    if total_mu <= paid_mu:
        return 1.0
    n_documents = artefact.n_documents
    added_mu = gaussian.remaining_mu(total_mu, paid_mu)
    evidence_share_of_budget = evidence_share(
        RefinedConstants(), n_documents, added_mu, total_mu=total_mu
    )
    evidence_mu = gaussian.mu_of_share(added_mu, evidence_share_of_budget)
    sensitivity = evidence_sensitivity(n_documents, artefact.n_topics)
    parts_unit = largest_parts(n_documents, artefact.n_topics, total_mu)
    next_noise = parts_unit * sensitivity / (n_documents * evidence_mu * MAX_TOPIC_PART)
    return next_noise / noise


def predicted_interval_widths(
    findings: Findings, method: Method, mus: Sequence[float], delta: float, report: Report = silent
) -> list[float]:
    """Widths of intervals at Gaussian budgets, as fractions of those at the first budget.

    Each is the median over leading words of all topics, from one run. All runs have the same
    documents, simulated from the release, which must state a number of documents. Where these are
    fewer, a run's μ is raised so that noise has the same size relative to the documents' number.

    Args:
        findings: of the release.
        method: of the release.
        mus: Gaussian budgets of topics.
        delta: δ of topics.
        report: progress callback.

    Returns:
        A fraction for each budget; empty where noise decides what topics are, in the release or in
        one of the runs, or a run has no intervals.
    """
    if not topics_are_stable(findings):
        return []
    assert findings.n_documents is not None
    simulated_corpus = _simulate_documents(findings)
    problem = Problem(findings.n_topics, findings.alpha0)
    widths_by_budget = []
    for run_index, mu in enumerate(mus):
        report(run_index / len(mus), f"Run {run_index + 1} of {len(mus)} on simulated documents")
        same_noise_mu = mu * findings.n_documents / simulated_corpus.n_documents
        experiment = Experiment(
            corpus=HeldDocuments(),
            method=method.spec,
            problem=problem,
            budget=Budget(gaussian.epsilon_for(same_noise_mu, delta), delta),
        )
        simulated_fit = fit(experiment, simulated_corpus, method=method)
        if simulated_fit.uncertainty is None:
            return []
        matched_topics = match(findings.topics, simulated_fit.topics.words)
        interval_ends = simulated_fit.uncertainty.interval()
        lower, upper = (ends[matched_topics] for ends in interval_ends)
        if not topics_are_stable(replace(findings, lower=lower, upper=upper)):
            return []  # noise decided here, so it may in the release
        widths_by_budget.append(_of_leading_words(upper - lower, findings.topics))
    return [float(np.median(word_widths / widths_by_budget[0])) for word_widths in widths_by_budget]


def topics_are_stable(findings: Findings) -> bool:
    """Whether noise is so small that a larger ε would sharpen topics instead of changing them.

    True if all topics have evidence and the leading words of each have narrow intervals. An
    interval's width is relative to the word's probability; its median in each topic is at most
    ``MAX_RELATIVE_RANGE``. False without evidence or intervals.
    """
    evidence = findings.evidence
    if evidence is None or findings.lower is None or findings.upper is None:
        return False
    if not all(evidence.is_above_noise):
        return False
    relative_ranges = (findings.upper - findings.lower) / findings.topics
    ranges_of_leading_words = _of_leading_words(relative_ranges, findings.topics)
    return bool(np.all(np.median(ranges_of_leading_words, axis=1) <= MAX_RELATIVE_RANGE))


def _simulate_documents(findings: Findings) -> Corpus:
    """Draw documents from the released topics, about as long as the documents of the release.

    They are fewer where all of them would be too many, and no longer than ``MAX_DOCUMENT_LENGTH``.
    A topic has at least ``SMALLEST_SHARE`` of an equal share of their words. The seed is fixed. The
    findings must have evidence, which scored half of each document, and a number of documents.
    """
    assert findings.evidence is not None
    assert findings.n_documents is not None
    scored_half_length = findings.evidence.length  # half of the words
    length = min(MAX_DOCUMENT_LENGTH, 2 * scored_half_length)
    n_affordable = int(MOST_TOKENS / length)
    n_documents = max(1, min(findings.n_documents, MAX_SIMULATED_DOCUMENTS, n_affordable))
    positive_topic_shares = np.maximum(
        findings.topic_shares, SMALLEST_SHARE / len(findings.topic_shares)
    )
    topics = findings.topics / np.sum(findings.topics, axis=1, keepdims=True)
    truth = Truth(topics, findings.alpha0 * positive_topic_shares / np.sum(positive_topic_shares))
    rng = np.random.default_rng(0)
    return draw_documents(truth, n_documents, length, rng=rng, vocabulary=findings.vocabulary)


def _of_leading_words(values: Matrix, topics: Matrix) -> Matrix:
    """Values of each topic's most probable words, shape (k, N_LEADING_WORDS)."""
    leading_words = np.argsort(-topics, axis=1)[:, :N_LEADING_WORDS]
    return np.asarray(np.take_along_axis(values, leading_words, axis=1))
