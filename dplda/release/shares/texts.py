"""A released table of shares in words: rows of shares, and the comparison that is surest."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dplda.core.formatting import counted
from dplda.methods.shares.groups import Groups
from dplda.methods.shares.share_result import TopicShares
from dplda.release.artefact.artefact import Artefact
from dplda.release.shares.shares_file import ReleasedShares
from dplda.release.shares.shares_store import SharesReceipt
from dplda.release.shares.shown_topics import NO_TOPIC_SHOWN, shares_of_shown_topics
from dplda.release.shares.together import describe_risk_together

LEAST_SURE = 0.9  # fraction of possible tables from which a difference is worth a sentence
N_TABLES = 100  # a comparison is said as so many of them


def describe_shares(
    receipt: SharesReceipt, parent: Artefact, tables: Sequence[ReleasedShares]
) -> tuple[str, ...]:
    """Describe a released table in lines of text.

    They are: whether it was charged, shares by group and the surest change or difference of topics
    with evidence, guarantee, risk of topics and tables together, charge, budget left and path.

    Args:
        receipt: of the table.
        parent: the topics.
        tables: all tables that were released for these topics and for those that they continue,
            this one among them.
    """
    share_table = receipt.shares
    return (
        receipt.describe_outcome("This table was released before."),
        *_describe_content(share_table, parent),
        share_table.guarantee.in_words(),
        describe_risk_together(parent, tables),
        f"Released at {share_table.released_at}, paid by charge {share_table.receipt_number}.",
        receipt.describe_budget_left(),
        f"File: {receipt.path}",
    )


def _describe_content(share_table: ReleasedShares, parent: Artefact) -> Iterator[str]:
    """Yield a line for each group and the surest comparison; one sentence if no topic is shown.

    The last row, of the units in none of the groups, has no line.
    """
    shown_shares = shares_of_shown_topics(share_table, parent)
    topic_shares = shown_shares.topic_shares
    if topic_shares is None:
        yield NO_TOPIC_SHOWN
        return
    for row in range(len(topic_shares.groups) - 1):
        yield _group_line(topic_shares, shown_shares.names, row, share_table.unit)
    yield describe_surest(topic_shares, share_table.groups, shown_shares.names)


def describe_surest(shares: TopicShares, groups: Groups, names: Sequence[str]) -> str:
    """Describe what a table says most surely: a difference between groups, or a change over time.

    Of times alone, it is the change. Of several groups over time it is both: the change, and the
    difference between groups at their last time.

    Args:
        shares: the table with its draws.
        groups: of the table.
        names: of the topics.
    """
    if not groups.chains:
        return describe_surest_difference(shares, names)
    change_sentence = describe_surest_change(shares, groups, names)
    if len(groups.chains) == 1:
        return change_sentence
    last_rows = [chain[-1] for chain in groups.chains]
    return f"{change_sentence} {describe_surest_difference(shares, names, last_rows)}"


def describe_topic_difference(shares: TopicShares, topic: int, rows: Sequence[int]) -> str:
    """Describe in which of some groups a topic is largest and smallest.

    Says that there is no clear difference if fewer than ``LEAST_SURE`` of the possible tables have
    it. Empty with fewer than two groups.

    Args:
        shares: the table with its draws.
        topic: number of the topic, from 0.
        rows: of the groups that are compared.
    """
    if len(rows) < 2:
        return ""
    difference = _difference_of_ends(shares, topic, rows)
    if difference.probability < LEAST_SURE:
        return "No clear difference."
    return (
        f"More in {shares.groups[difference.higher_row]} than in"
        f" {shares.groups[difference.lower_row]}"
        f" in {_count_tables(difference.probability)} of {N_TABLES}."
    )


def describe_topic_change(shares: TopicShares, topic: int, rows_in_time: Sequence[int]) -> str:
    """Describe whether a topic grew or shrank from the first time to the last.

    Says that there is no clear change if fewer than ``LEAST_SURE`` of the possible tables have it.
    Empty with fewer than two times.

    Args:
        shares: the table with its draws.
        topic: number of the topic, from 0.
        rows_in_time: rows that follow each other in time.
    """
    if len(rows_in_time) < 2:
        return ""
    probability_grew = shares.probability_larger(rows_in_time[-1], rows_in_time[0], topic)
    probability = max(probability_grew, 1 - probability_grew)
    if probability < LEAST_SURE:
        return "No clear change."
    verb = "Grew" if probability_grew > 0.5 else "Shrank"
    return f"{verb} in {_count_tables(probability)} of {N_TABLES}."


@dataclass(frozen=True, slots=True)
class _Difference:
    """A difference of one topic's shares between two rows of a table.

    Attributes:
        topic: number of the topic, from 0.
        higher_row: row with the larger share.
        lower_row: row with the smaller share.
        share_gap: larger share minus smaller one, at least 0.
        probability: fraction of the possible tables that have it.
    """

    topic: int
    higher_row: int
    lower_row: int
    share_gap: float
    probability: float


def _difference(shares: TopicShares, topic: int, higher_row: int, lower_row: int) -> _Difference:
    """The difference of a topic between two rows.

    It holds the gap of the estimated shares, and how likely it is by the possible tables.
    """
    higher_share = shares.shares[higher_row, topic]
    lower_share = shares.shares[lower_row, topic]
    return _Difference(
        topic=topic,
        higher_row=higher_row,
        lower_row=lower_row,
        share_gap=float(higher_share - lower_share),
        probability=shares.probability_larger(higher_row, lower_row, topic),
    )


def _difference_of_ends(shares: TopicShares, topic: int, rows: Sequence[int]) -> _Difference:
    """The difference between the groups of the largest and the smallest share, of two or more."""
    rows_by_share = sorted(rows, key=lambda row: shares.shares[row, topic])
    return _difference(shares, topic, higher_row=rows_by_share[-1], lower_row=rows_by_share[0])


def _largest_sure(differences: Iterable[_Difference]) -> _Difference | None:
    """The largest of the differences that enough possible tables have, the first of equal ones.

    None if there is none.
    """
    sure_differences = [each for each in differences if each.probability >= LEAST_SURE]
    return max(sure_differences, key=lambda each: each.share_gap, default=None)


def describe_surest_difference(
    shares: TopicShares, names: Sequence[str], rows: Sequence[int] | None = None
) -> str:
    """Describe the largest difference of a topic between two groups that the noise allows to state.

    For each topic the group of the largest share is compared with that of the smallest. A
    difference counts if at least ``LEAST_SURE`` of the possible tables have it; without one the
    sentence says that none exceeds the noise.

    Args:
        shares: the table with its draws.
        names: of the topics.
        rows: of the groups that are compared; None for all but ``other``.
    """
    compared_rows = range(len(shares.groups) - 1) if rows is None else rows
    largest_difference = None
    if len(compared_rows) >= 2:
        largest_difference = _largest_sure(
            _difference_of_ends(shares, topic, compared_rows) for topic in range(len(names))
        )
    if largest_difference is None:
        return "No theme's shares differ between groups by more than the noise."
    return describe_comparison(
        shares,
        names,
        largest_difference.higher_row,
        largest_difference.lower_row,
        largest_difference.topic,
    )


def describe_surest_change(shares: TopicShares, groups: Groups, names: Sequence[str]) -> str:
    """Describe the largest change of a topic over time that the noise allows to state.

    Changes are from the first time to the last. One counts if at least ``LEAST_SURE`` of the
    possible tables have it; without one the sentence says that none exceeds the noise.

    Args:
        shares: the table with its draws.
        groups: of the table, the last axis in the order of time.
        names: of the topics.
    """
    surest_change = _largest_sure(
        _change_over_time(shares, topic, rows_in_time)
        for topic in range(len(names))
        for rows_in_time in groups.chains
    )
    if surest_change is None:
        return "No theme's share changes over time by more than the noise."
    series_index, has_grown = next(
        (index, surest_change.higher_row == rows_in_time[-1])
        for index, rows_in_time in enumerate(groups.chains)
        if surest_change.higher_row in (rows_in_time[0], rows_in_time[-1])
    )
    verb = "grew" if has_grown else "shrank"
    place_phrase = f" in {groups.axes[0].labels[series_index]}" if len(groups.axes) > 1 else ""
    time_labels = groups.axes[-1].labels
    times_phrase = f"from {time_labels[0]} to {time_labels[-1]}"
    return (
        f"“{names[surest_change.topic]}”{place_phrase} {verb} {times_phrase}"
        f" in {_count_tables(surest_change.probability)} of {N_TABLES} possible tables."
    )


def _change_over_time(shares: TopicShares, topic: int, chain: Sequence[int]) -> _Difference:
    """The change of a topic from the first row of a chain to the last, as a difference of both."""
    first_row = chain[0]
    last_row = chain[-1]
    if shares.shares[last_row, topic] >= shares.shares[first_row, topic]:
        return _difference(shares, topic, higher_row=last_row, lower_row=first_row)
    return _difference(shares, topic, higher_row=first_row, lower_row=last_row)


def _count_tables(probability: float) -> int:
    """A probability as so many of a hundred tables; no number of draws makes it certain."""
    return min(round(N_TABLES * probability), N_TABLES - 1)


def describe_comparison(
    shares: TopicShares, names: Sequence[str], high: int, low: int, topic: int
) -> str:
    """A comparison of two groups, counted in the possible tables.

    Args:
        shares: the table with its draws.
        names: of the topics.
        high: row of the group that is said to have more.
        low: row of the other group.
        topic: number of the topic, from 0.
    """
    n_tables = _count_tables(shares.probability_larger(high, low, topic))
    return (
        f"“{names[topic]}” is a larger theme in {shares.groups[high]} than in {shares.groups[low]}"
        f" in {n_tables} of {N_TABLES} possible tables."
    )


def _group_line(shares: TopicShares, names: Sequence[str], row: int, unit: str) -> str:
    """Describe a group: its noisy size, and its topics with shares and intervals, largest first.

    Topics whose share is vague are left out; if all are, the line says so. Intervals begin at 0 at
    least.
    """
    lower_ends, upper_ends = shares.interval()
    topics_by_share = np.argsort(-shares.shares[row])
    share_texts = [
        f"{names[topic]} {shares.shares[row, topic]:.0%}"
        f" ({max(lower_ends[row, topic], 0):.0%} to {upper_ends[row, topic]:.0%})"
        for topic in topics_by_share
        if not shares.is_vague[row, topic]
    ]
    size_text = counted(round(float(shares.sizes[row])), unit)
    shares_text = "; ".join(share_texts) if share_texts else "no share that noise leaves standing"
    return f"{shares.groups[row]}, about {size_text}: {shares_text}."
