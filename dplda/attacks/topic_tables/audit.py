"""Audit of a finished topic table: are documents that were in recognizable among others?"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from dplda.attacks.topic_tables.one_run import EpsilonBound, bound_epsilon
from dplda.attacks.topic_tables.scores import (
    make_reference,
    score_documents,
    smoothed_frequencies,
)
from dplda.attacks.topic_tables.table import normalize_topics
from dplda.core import checks
from dplda.core.errors import CorpusError, InputError
from dplda.core.types import Counts, Vector
from dplda.corpus import Corpus
from dplda.corpus.counts import AnyCounts, canonical_counts

MIN_MEMBERS = 10
MIN_OTHERS = 20
REFERENCE_PARTS = 3  # at least one of so many equal parts of the others is the reference
FALSE_ALARM_LEVELS = (0.001, 0.01, 0.1)
SURE_DIFFERENCE = 3.0  # standard errors: by chance twice in 1,000 audits, for each of two tests
RATE_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class DetectionRate:
    """Members that are recognized at a threshold which few others pass.

    The threshold is fitted to others that are not judged.

    Attributes:
        level: chance for one of the others to pass, at most.
        detected: share of members that pass.
        detected_at_least: lower end of its interval of 95 %, by Clopper and Pearson.
        alarms: share of the judged others that pass.
    """

    level: float
    detected: float
    detected_at_least: float
    alarms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicTableAudit:
    """Findings of an attack on a topic table.

    Attributes:
        n_members: documents that were in.
        n_others: documents that were not in.
        n_reference: others that the reference was fitted to; none of them is judged.
        auc: chance that a member scores above one of the judged others.
        auc_error: standard error of ``auc``.
        auc_by_frequencies: the same with word frequencies as the reference.
        rates: share of members that are recognized, at few false alarms.
        auc_without_table: the same for scores that do not know the table; about 0.5 if the
            documents were divided at random.
        are_alike: whether members and others look like one population without the table. If not,
            the bound does not hold.
        bound: lower bound on ε.
    """

    n_members: int
    n_others: int
    n_reference: int
    auc: float
    auc_error: float
    auc_by_frequencies: float
    rates: tuple[DetectionRate, ...]
    auc_without_table: float
    are_alike: bool
    bound: EpsilonBound


def audit_topics(
    topics: ArrayLike,
    members: Corpus | AnyCounts,
    others: Corpus | AnyCounts,
    *,
    delta: float = 0.0,
    error: float = 0.05,
    seed: int = 0,
) -> TopicTableAudit:
    """Attack a finished topic table with documents that were in, and documents that were not.

    Somebody must have divided a collection at random before the table was made of one part: then
    the bound on ε is wrong with a probability of ``error`` at most. It is a lower bound. A bound
    of 0 says that this attack found nothing, never that a table is private. The result also says
    whether both kinds of documents are alike without the table: if not, its numbers mean nothing.

    Args:
        topics: weights of words by topic, shape (k, d), at least 0, of any model and any scale.
        members: documents that the table was made of, over the same d words.
        others: documents of the same kind that it was not made of.
        delta: δ of the guarantee that the bound on ε speaks of, from 0.
        error: chance that the bound is wrong, at most.
        seed: of the division of the others, and of pairs.

    Raises:
        InputError: the table is none, does not fit the documents, or documents are too few.
        CorpusError: documents are no counts, or the reference documents have no word.

    Guarantee:
        Pairs are drawn at random of members and of others outside the reference. Given the pairs,
        a random division makes fair coins of who is who, and ``one_run`` bounds what is guessed.

    Example:
        >>> import dplda
        >>> corpus = dplda.simulate(
        ...     n_documents=300, n_words=60, n_topics=3, alpha0=1.0, mean_length=30, seed=1
        ... )
        >>> members, others = corpus.counts[:100], corpus.counts[100:]
        >>> table = (members.sum(axis=0) + 1)[None, :]
        >>> audit = dplda.audit_topics(table, members, others)
        >>> audit.bound.epsilon
        0.0
    """
    checks.integer_at_least("seed", seed, 0)
    checks.between("error", error, 0, 1, open_ends=True)
    checks.between("delta", delta, 0, 0.5, open_ends=False)
    table = normalize_topics(topics, "topics")
    n_topics, n_words = table.shape
    member_counts = _counts_of(members, "members", n_words, at_least=MIN_MEMBERS)
    other_counts = _counts_of(others, "others", n_words, at_least=MIN_OTHERS)
    rng = np.random.default_rng(seed)
    n_members = member_counts.shape[0]
    n_others = other_counts.shape[0]
    order = rng.permutation(n_others)
    min_reference = math.ceil(n_others / REFERENCE_PARTS)
    n_judged = min(n_members, n_others - min_reference)
    judged_counts = other_counts[order[:n_judged]]
    reference_counts = other_counts[order[n_judged:]]
    if not reference_counts.nnz:
        raise CorpusError(
            "The others that make the reference have no word of the table",
            "Give others that use the table's words.",
        )
    reference = make_reference(reference_counts, n_topics, seed=seed)
    member_scores = score_documents(member_counts, table, reference)
    judged_scores = score_documents(judged_counts, table, reference)
    paired_members = rng.permutation(n_members)[:n_judged]
    advantages = [
        scores_of_members[paired_members] - scores_of_judged
        for scores_of_members, scores_of_judged in zip(member_scores, judged_scores, strict=True)
    ]
    member_ratios, member_ratios_by_frequencies = member_scores
    judged_ratios, judged_ratios_by_frequencies = judged_scores
    auc, auc_error = _auc(member_ratios, judged_ratios)
    auc_by_frequencies, _ = _auc(member_ratios_by_frequencies, judged_ratios_by_frequencies)
    auc_without_table, are_alike = _compare_without_table(
        member_counts, judged_counts, reference_counts, rng
    )
    return TopicTableAudit(
        n_members=n_members,
        n_others=n_others,
        n_reference=n_others - n_judged,
        auc=auc,
        auc_error=auc_error,
        auc_by_frequencies=auc_by_frequencies,
        rates=_detection_rates(member_ratios, judged_ratios),
        auc_without_table=auc_without_table,
        are_alike=are_alike,
        bound=bound_epsilon(advantages, delta=delta, error=error),
    )


def _counts_of(documents: Corpus | AnyCounts, name: str, n_words: int, at_least: int) -> Counts:
    """Counts of a corpus or matrix; refused for another number of words or too few documents."""
    counts = documents.counts if isinstance(documents, Corpus) else canonical_counts(documents)
    n_documents, n_columns = counts.shape
    if n_columns != n_words:
        requirement = f"over the {n_words:,} words of the topics"
        raise InputError(name, requirement, f"{n_columns:,} words")
    if n_documents < at_least:
        requirement = f"at least {at_least} documents"
        raise InputError(name, requirement, f"{n_documents:,}")
    return counts


def _auc(first: Vector, second: Vector) -> tuple[float, float]:
    """Chance that a score of the first kind is above one of the second, and its standard error.

    Ties count half. The error is that of DeLong: of the two kinds' mean ranks among the other.
    """
    above_second = _mean_rank(first, np.sort(second))
    above_first = _mean_rank(second, np.sort(first))
    first_variance = np.var(above_second, ddof=1) / len(first)
    second_variance = np.var(above_first, ddof=1) / len(second)
    variance = first_variance + second_variance
    auc = float(np.mean(above_second))
    standard_error = float(np.sqrt(variance))
    return auc, standard_error


def _mean_rank(scores: Vector, sorted_scores: Vector) -> Vector:
    """Share of sorted scores below each score, ties half."""
    n_below = np.searchsorted(sorted_scores, scores, side="left")
    n_up_to = np.searchsorted(sorted_scores, scores, side="right")
    twice_n = 2 * len(sorted_scores)
    return np.asarray((n_below + n_up_to) / twice_n)


def _detection_rates(members: Vector, others: Vector) -> tuple[DetectionRate, ...]:
    """Rates at thresholds that one half of the others sets, and the other half judges.

    With n scores, the threshold of level α is the ⌈(1 − α)(n + 1)⌉-th smallest: one more score of
    their kind passes with probability α at most. Levels for which n is too small are left out.

    Scores pass above a threshold, not at it. The first half of the others is the one that sets.

    Args:
        members: scores of members; at least one.
        others: scores of others, in random order.
    """
    n_fitting = len(others) // 2
    fitting_scores = np.sort(others[:n_fitting])
    judged_scores = others[n_fitting:]
    rates = []
    for level in FALSE_ALARM_LEVELS:
        exact_rank = (1 - level) * (n_fitting + 1)
        rank = int(np.ceil(exact_rank - 1e-9))
        if rank > n_fitting:
            continue
        threshold = fitting_scores[rank - 1]
        n_detected = int(np.count_nonzero(members > threshold))
        rate = DetectionRate(
            level=level,
            detected=n_detected / len(members),
            detected_at_least=_lowest_rate(n_detected, len(members)),
            alarms=float(np.mean(judged_scores > threshold)),
        )
        rates.append(rate)
    return tuple(rates)


def _lowest_rate(n_detected: int, n_members: int) -> float:
    """Lower end of the interval of ``RATE_CONFIDENCE`` for a rate, by Clopper and Pearson."""
    if not n_detected:
        return 0.0
    error_below = (1 - RATE_CONFIDENCE) / 2
    n_missed = n_members - n_detected
    lowest_rate = stats.beta.ppf(error_below, n_detected, n_missed + 1)
    return float(lowest_rate)


def _compare_without_table(
    members: Counts, judged: Counts, reference: Counts, rng: np.random.Generator
) -> tuple[float, bool]:
    """Whether members and others differ in words or length where nobody asks the table.

    Half of the members and the reference fit word frequencies; their ratio scores the rest.

    Returns:
        The AUC by words, and whether neither words nor lengths tell members from others.
    """
    order = rng.permutation(members.shape[0])
    fitting_rows, tested_rows = np.array_split(order, 2)
    log_member_frequencies = np.log(smoothed_frequencies(members[fitting_rows]))
    log_reference_frequencies = np.log(smoothed_frequencies(reference))
    log_ratios = log_member_frequencies - log_reference_frequencies
    member_scores = np.asarray(members[tested_rows] @ log_ratios)
    judged_scores = np.asarray(judged @ log_ratios)
    auc_by_words, error_by_words = _auc(member_scores, judged_scores)
    member_lengths = _lengths(members)
    judged_lengths = _lengths(judged)
    auc_by_length, error_by_length = _auc(member_lengths, judged_lengths)
    have_like_words = _may_be_half(auc_by_words, error_by_words)
    have_like_lengths = _may_be_half(auc_by_length, error_by_length)
    return auc_by_words, have_like_words and have_like_lengths


def _may_be_half(auc: float, standard_error: float) -> bool:
    """Whether an AUC differs from 0.5 by no more than chance explains."""
    return abs(auc - 0.5) <= SURE_DIFFERENCE * standard_error


def _lengths(counts: Counts) -> Vector:
    """Number of words of each document, shape (N,)."""
    return np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
