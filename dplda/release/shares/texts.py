"""A released table of shares in words: rows of shares, and the comparison that is surest."""

from collections.abc import Sequence

import numpy as np

from dplda.core.formatting import counted
from dplda.methods.shares.groups import Groups
from dplda.methods.shares.topic_shares import TopicShares
from dplda.release.artefact.artefact import Artefact
from dplda.release.reuse.exports import topic_names
from dplda.release.shares.shares_store import SharesReceipt
from dplda.release.shares.together import describe_risk_together

LEAST_SURE = 0.9  # fraction of possible tables from which a difference is worth a sentence
N_TABLES = 100  # a comparison is said as so many of them


def describe_shares(receipt: SharesReceipt, parent: Artefact) -> tuple[str, ...]:
    """Describe a released table in lines of text.

    They are: whether it was charged, shares by group, the surest change or difference, guarantee,
    risk of topics and table together, charge, budget left and path.
    """
    table = receipt.shares
    topic_shares = table.topic_shares(parent.guarantee)
    names = topic_names(parent)
    return (
        receipt.describe_outcome("This table was released before."),
        *(
            _group_line(topic_shares, names, row, table.unit)
            for row in range(len(topic_shares.groups) - 1)
        ),
        describe_surest(topic_shares, table.groups, names),
        table.guarantee.in_words(),
        describe_risk_together(parent, [table]),
        f"Released at {table.released_at}, paid by charge {table.receipt_number}.",
        f"Left for one more release: {receipt.balance.describe_remaining()}.",
        f"File: {receipt.path}",
    )


def describe_surest(shares: TopicShares, groups: Groups, names: Sequence[str]) -> str:
    """Describe what a table says most surely: a difference between groups, a change over time.

    Of groups over time, both: the change, and the difference at the last time.

    Args:
        shares: the table with its draws.
        groups: of the table.
        names: of the topics.
    """
    if not groups.chains:
        return describe_surest_difference(shares, names)
    change = describe_surest_change(shares, groups, names)
    if len(groups.chains) == 1:
        return change
    last_rows = [chain[-1] for chain in groups.chains]
    return f"{change} {describe_surest_difference(shares, names, last_rows)}"


def describe_topic_difference(shares: TopicShares, topic: int, rows: Sequence[int]) -> str:
    """Describe in which of some groups a topic is largest and smallest, if the noise allows it.

    Args:
        shares: the table with its draws.
        topic: number of the topic, from 0.
        rows: of the groups that are compared.
    """
    rows_by_share = sorted(rows, key=lambda row: shares.shares[row, topic])
    if len(rows_by_share) < 2:
        return ""
    lowest_row, highest_row = rows_by_share[0], rows_by_share[-1]
    probability = shares.probability_larger(highest_row, lowest_row, topic)
    if probability < LEAST_SURE:
        return "No clear difference."
    return (
        f"More in {shares.groups[highest_row]} than in {shares.groups[lowest_row]}"
        f" in {_count_tables(probability)} of {N_TABLES}."
    )


def describe_topic_change(shares: TopicShares, topic: int, chain: Sequence[int]) -> str:
    """Describe whether a topic grew or shrank from the first time to the last.

    Args:
        shares: the table with its draws.
        topic: number of the topic, from 0.
        chain: rows that follow each other in time.
    """
    if len(chain) < 2:
        return ""
    probability = shares.probability_larger(chain[-1], chain[0], topic)
    if max(probability, 1 - probability) < LEAST_SURE:
        return "No clear change."
    verb = "Grew" if probability > 0.5 else "Shrank"
    return f"{verb} in {_count_tables(max(probability, 1 - probability))} of {N_TABLES}."


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
    group_rows = range(len(shares.groups) - 1) if rows is None else rows
    largest_difference: tuple[float, int, int, int] | None = None
    for topic in range(len(names)):
        rows_by_share = sorted(group_rows, key=lambda row, topic=topic: shares.shares[row, topic])  # type: ignore[misc]
        if len(rows_by_share) < 2:
            continue
        lowest_row, highest_row = rows_by_share[0], rows_by_share[-1]
        probability = shares.probability_larger(highest_row, lowest_row, topic)
        share_gap = float(shares.shares[highest_row, topic] - shares.shares[lowest_row, topic])
        if probability >= LEAST_SURE and (
            largest_difference is None or share_gap > largest_difference[0]
        ):
            largest_difference = (share_gap, topic, highest_row, lowest_row)
    if largest_difference is None:
        return "No theme's shares differ between groups by more than the noise."
    _, topic, highest_row, lowest_row = largest_difference
    return describe_comparison(shares, names, highest_row, lowest_row, topic)


def describe_surest_change(shares: TopicShares, groups: Groups, names: Sequence[str]) -> str:
    """Describe the largest change of a topic over time that the noise allows to state.

    Changes are from the first time to the last. One counts if at least ``LEAST_SURE`` of the
    possible tables have it; without one the sentence says that none exceeds the noise.

    Args:
        shares: the table with its draws.
        groups: of the table, the last axis in the order of time.
        names: of the topics.
    """
    largest_change: tuple[float, str] | None = None
    for topic, name in enumerate(names):
        for series_index, chain in enumerate(groups.chains):
            first_row, last_row = chain[0], chain[-1]
            share_change = float(shares.shares[last_row, topic] - shares.shares[first_row, topic])
            larger_row, smaller_row = (
                (last_row, first_row) if share_change >= 0 else (first_row, last_row)
            )
            probability = shares.probability_larger(larger_row, smaller_row, topic)
            if probability < LEAST_SURE or (
                largest_change is not None and abs(share_change) <= largest_change[0]
            ):
                continue
            times = groups.axes[-1].labels
            place_text = (
                f" in {groups.axes[0].labels[series_index]}" if len(groups.axes) > 1 else ""
            )
            verb = "grew" if share_change >= 0 else "shrank"
            largest_change = (
                abs(share_change),
                f"“{name}”{place_text} {verb} from {times[0]} to {times[-1]}"
                f" in {_count_tables(probability)} of {N_TABLES} possible tables.",
            )
    if largest_change is None:
        return "No theme's share changes over time by more than the noise."
    return largest_change[1]


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

    Topics whose share is vague are left out; if all are, the line says so.
    """
    lower_ends, upper_ends = shares.interval()
    topics = np.argsort(-shares.shares[row])
    share_texts = [
        f"{names[topic]} {shares.shares[row, topic]:.0%}"
        f" ({max(lower_ends[row, topic], 0):.0%} to {upper_ends[row, topic]:.0%})"
        for topic in topics
        if not shares.is_vague[row, topic]
    ]
    size_text = counted(round(float(shares.sizes[row])), unit)
    content = "; ".join(share_texts) if share_texts else "no share that noise leaves standing"
    return f"{shares.groups[row]}, about {size_text}: {content}."
