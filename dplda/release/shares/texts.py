"""A released table of shares in words: rows of shares, and the comparison that is surest."""

from collections.abc import Sequence

import numpy as np

from dplda.core.formatting import counted
from dplda.methods.shares.groups import Groups
from dplda.methods.shares.topic_shares import TopicShares
from dplda.release.artefact.artefact import Artefact
from dplda.release.reuse.exports import topic_names
from dplda.release.shares.perform import SharesReceipt

LEAST_SURE = 0.9  # fraction of possible tables from which a difference is worth a sentence
N_TABLES = 100  # a comparison is said as so many of them


def describe_shares(receipt: SharesReceipt, parent: Artefact) -> tuple[str, ...]:
    """A table as lines of text: how it came about, shares by group, a comparison, its guarantee."""
    table = receipt.shares
    shares = table.topic_shares(parent.guarantee)
    names = topic_names(parent)
    return (
        _outcome(receipt),
        *(_group_line(shares, names, row, table.unit) for row in range(len(shares.groups) - 1)),
        (
            describe_surest_change(shares, table.groups, names)
            if table.groups.chains
            else describe_surest_difference(shares, names)
        ),
        table.guarantee.in_words(),
        f"Released at {table.released_at}, paid by charge {table.receipt_number}.",
        f"Left for one more release: {receipt.balance.describe_remaining()}.",
        f"File: {receipt.path}",
    )


def describe_surest_difference(shares: TopicShares, names: Sequence[str]) -> str:
    """The sentence on the largest difference between two groups that most possible tables have.

    Args:
        shares: the table with its draws.
        names: of the topics.
    """
    rows = range(len(shares.groups) - 1)
    best: tuple[float, int, int, int] | None = None
    for topic in range(len(names)):
        order = sorted(rows, key=lambda row, topic=topic: shares.shares[row, topic])  # type: ignore[misc]
        if len(order) < 2:
            continue
        low, high = order[0], order[-1]
        probability = shares.probability_larger(high, low, topic)
        gap = float(shares.shares[high, topic] - shares.shares[low, topic])
        if probability >= LEAST_SURE and (best is None or gap > best[0]):
            best = (gap, topic, high, low)
    if best is None:
        return "No theme's shares differ between groups by more than the noise."
    _, topic, high, low = best
    return describe_comparison(shares, names, high, low, topic)


def describe_surest_change(shares: TopicShares, groups: Groups, names: Sequence[str]) -> str:
    """The sentence on the largest change from the first time to the last that most tables have.

    Args:
        shares: the table with its draws.
        groups: of the table, the last axis in the order of time.
        names: of the topics.
    """
    best: tuple[float, str] | None = None
    for topic, name in enumerate(names):
        for place, chain in enumerate(groups.chains):
            first, last = chain[0], chain[-1]
            gap = float(shares.shares[last, topic] - shares.shares[first, topic])
            later, earlier = (last, first) if gap >= 0 else (first, last)
            probability = shares.probability_larger(later, earlier, topic)
            if probability < LEAST_SURE or (best is not None and abs(gap) <= best[0]):
                continue
            times = groups.axes[-1].labels
            where = f" in {groups.axes[0].labels[place]}" if len(groups.axes) > 1 else ""
            verb = "grew" if gap >= 0 else "shrank"
            best = (
                abs(gap),
                f"“{name}”{where} {verb} from {times[0]} to {times[-1]}"
                f" in {_count_tables(probability)} of {N_TABLES} possible tables.",
            )
    if best is None:
        return "No theme's share changes over time by more than the noise."
    return best[1]


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


def _outcome(receipt: SharesReceipt) -> str:
    if receipt.was_finished:
        return "Released, from where it was interrupted. It was charged then, and not again."
    if receipt.charged:
        return "Released."
    return "This table was released before. Showing it again costs nothing."


def _group_line(shares: TopicShares, names: Sequence[str], row: int, unit: str) -> str:
    """A group, its size, and its topics from the largest, those that tell nothing left out."""
    low, high = shares.interval()
    topics = np.argsort(-shares.shares[row])
    parts = [
        f"{names[topic]} {shares.shares[row, topic]:.0%}"
        f" ({max(low[row, topic], 0):.0%} to {high[row, topic]:.0%})"
        for topic in topics
        if not shares.is_vague[row, topic]
    ]
    size = counted(round(float(shares.sizes[row])), unit)
    content = "; ".join(parts) if parts else "no share that noise leaves standing"
    return f"{shares.groups[row]}, about {size}: {content}."
