"""Topic shares by group with noise, without it and in truth, topic by topic in numbered places."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from dplda import figures
from dplda.core.types import Matrix, Tensor3
from dplda.experiments.explored_groups import ExploredGroups
from dplda.figures import Figure, Lane, ShareOfGroup, theme
from dplda.figures.topics.share_dots import N_DRAWS_SHOWN
from dplda.methods.base.runtime import Runtime
from dplda.methods.shares.share_result import TopicShares
from dplda.methods.shares.topic_shares import add_noise
from dplda.privacy.noise.sources import NoNoise
from dplda.ui.explore.comparison import Comparison
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state import cache, share_tables

AXIS_STEP = 0.1  # ends of axes are multiples of it


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ShareComparison:
    """Shares of the private topics by group, beside those without noise and the true ones.

    Attributes:
        numbers: of the private topics, from 1; the columns of all tables.
        private: shares with noise; the last row is ``other``.
        noiseless: shares of the topics without noise, without noise of the table, (G, k), NaN where
            there is no such topic; None where it is unknown.
        truth: true shares, (G, k), NaN as above; None where unknown.
    """

    numbers: tuple[int, ...]
    private: TopicShares
    noiseless: Matrix | None
    truth: Matrix | None

    @property
    def mean_errors(self) -> tuple[float, float] | None:
        """Mean absolute distances from the true shares: of raw noisy shares, then of modeled ones.

        Both are over the listed groups and the topics that have a true one; 0.01 is a percentage
        point. None where the truth is unknown.
        """
        if self.truth is None:
            return None
        raw_shares = self.private.noisy_table / self.private.sizes[:, None]
        raw_error = self._mean_error(raw_shares, self.truth)
        modeled_error = self._mean_error(self.private.shares, self.truth)
        return raw_error, modeled_error

    @staticmethod
    def _mean_error(shares: Matrix, true_shares: Matrix) -> float:
        """Mean distance of the listed groups' shares; places without a true topic are left out."""
        listed_shares = shares[: len(true_shares)]
        return float(np.nanmean(np.abs(listed_shares - true_shares)))


def compare_shares(
    loaded: LoadedExperiment,
    comparison: Comparison,
    explored_groups: ExploredGroups,
    table_epsilon: float,
) -> ShareComparison | None:
    """Compute shares of topics by group: with noise of the experiment's seed, without, and true.

    Args:
        loaded: simulated or public documents, and the experiment.
        comparison: its topics in numbered places.
        explored_groups: the groups.
        table_epsilon: ε of the noisy table.

    Returns:
        The shares of the private topics that have a place, in the order of their places. None if
        summing the shares of the private topics was canceled. Noiseless and true shares are None
        where they are unknown.
    """
    corpus = loaded.corpus
    experiment = loaded.experiment
    sums_before_noise = share_tables.share_table(
        corpus, experiment, comparison.private, explored_groups
    )
    if sums_before_noise is None:
        return None
    noisy_shares = add_noise(
        sums_before_noise,
        explored_groups.groups,
        corpus,
        Runtime(experiment.seed),
        epsilon=table_epsilon,
        delta=experiment.budget.delta,
        has_public_groups=explored_groups.is_public,
        topics_guarantee=comparison.private.guarantee,
    )
    slots = comparison.lanes[0].filled
    topic_rows = [slot.row or 0 for slot in slots]
    topic_numbers = tuple(slot.number for slot in slots)
    return ShareComparison(
        numbers=topic_numbers,
        private=_of_topics(noisy_shares, topic_rows),
        noiseless=_noiseless_shares(loaded, comparison, explored_groups, topic_numbers),
        truth=_true_shares(loaded, comparison, explored_groups, topic_numbers),
    )


def _of_topics(shares: TopicShares, topics: list[int]) -> TopicShares:
    """The columns of some topics; rows may then sum to less than 1."""
    return replace(
        shares,
        shares=shares.shares[:, topics],
        draws=shares.draws[:, :, topics],
        noisy_table=shares.noisy_table[:, topics],
    )


def _noiseless_shares(
    loaded: LoadedExperiment,
    comparison: Comparison,
    explored_groups: ExploredGroups,
    topic_numbers: tuple[int, ...],
) -> Matrix | None:
    """Compute the shares of the noiseless topics by group, in the order of ``topic_numbers``.

    Those of a group are its sums divided by their total, of 1 at least. The group ``other`` is left
    out. A place without a noiseless topic has NaN. None without a noiseless fit, or if the work was
    canceled.
    """
    noiseless_fit = comparison.noiseless
    if noiseless_fit is None:
        return None
    noiseless_table = share_tables.share_table(
        loaded.corpus,
        cache.noiseless_experiment(loaded.experiment),
        noiseless_fit,
        explored_groups,
        noise=NoNoise(),
    )
    if noiseless_table is None:
        return None
    sums_by_group = np.asarray(noiseless_table.value)[:-1]
    mean_shares = sums_by_group / np.maximum(sums_by_group.sum(axis=1, keepdims=True), 1.0)
    row_by_place = [slot.row for slot in comparison.lanes[1].slots]
    return _in_places(
        mean_shares, [row_by_place[topic_number - 1] for topic_number in topic_numbers]
    )


def _true_shares(
    loaded: LoadedExperiment,
    comparison: Comparison,
    explored_groups: ExploredGroups,
    topic_numbers: tuple[int, ...],
) -> Matrix | None:
    """The true shares by group, in the order of ``topic_numbers``.

    A place without a true topic has NaN. None if the truth is unknown, of another number of topics,
    or without these groups.
    """
    truth = loaded.corpus.truth
    if truth is None or len(truth.topics) != loaded.experiment.problem.n_topics:
        return None
    for grouping in truth.groups:
        if grouping.column.name == explored_groups.column:
            topic_by_place = _true_columns(comparison.lanes[-1], truth.topics)
            return _in_places(
                grouping.shares,
                [topic_by_place[topic_number - 1] for topic_number in topic_numbers],
            )
    return None


def _true_columns(lane: Lane, true_topics: Matrix) -> list[int | None]:
    """Find the index of the true topic in each place; None for a place without one.

    The lane holds the true topics themselves, so that they are found by equal numbers.
    """
    topic_by_place: list[int | None] = []
    for slot in lane.slots:
        if slot.words is None:
            topic_by_place.append(None)
            continue
        is_equal = np.all(true_topics == slot.words, axis=1)
        topic_by_place.append(int(np.argmax(is_equal)))
    return topic_by_place


def _in_places(shares: Matrix, column_of_place: list[int | None]) -> Matrix:
    """Columns of a table in the order of places; NaN where a place has no topic."""
    missing = np.full(len(shares), np.nan)
    return np.column_stack(
        [missing if column is None else shares[:, column] for column in column_of_place]
    )


def topic_figures(
    shares_by_group: ShareComparison,
    explored_groups: ExploredGroups,
    name_by_number: Mapping[int, str],
    *,
    watermark: str,
    n_shown: int,
) -> list[Figure]:
    """Make a figure of shares by group for each of the first topics, all on one scale.

    Shares are lines if the groups are times, else dots.

    Args:
        shares_by_group: the shares.
        explored_groups: the groups.
        name_by_number: name of each topic by its number.
        watermark: written across each figure; empty for none.
        n_shown: most topics.
    """
    shown_draws = _draws_shown(shares_by_group.private.draws)
    axis_end = _axis_end(shares_by_group, shown_draws)
    draw_figure = figures.share_lines if explored_groups.is_time else figures.share_dots
    return [
        draw_figure(
            _shares_of_topic(shares_by_group, shown_draws, topic_index),
            title=f"{topic_number} · {name_by_number[topic_number]}",
            colour=theme.topic_colour(topic_number),
            axis_end=axis_end,
            watermark=watermark,
        )
        for topic_index, topic_number in enumerate(shares_by_group.numbers[:n_shown])
    ]


def _draws_shown(share_draws: Tensor3) -> Tensor3:
    """``N_DRAWS_SHOWN`` of the draws, evenly spaced from the first to the last."""
    places = np.linspace(0, len(share_draws) - 1, N_DRAWS_SHOWN).astype(int)
    return np.asarray(share_draws[places])


def _axis_end(shares_by_group: ShareComparison, share_draws: Tensor3) -> float:
    """Share at the end of the axis, which holds everything drawn.

    A multiple of ``AXIS_STEP``, and at most 1. Shares that are NaN do not count.
    """
    tables = [
        share_draws[:, :-1],
        shares_by_group.private.shares[:-1],
        shares_by_group.noiseless,
        shares_by_group.truth,
    ]
    largest = max(float(np.nanmax(table)) for table in tables if table is not None)
    return min(1.0, AXIS_STEP * math.ceil(largest / AXIS_STEP))


def _shares_of_topic(
    shares_by_group: ShareComparison, share_draws: Tensor3, topic_index: int
) -> list[ShareOfGroup]:
    """List the shares of a topic in every group but ``other``.

    Each has its interval, its draws, and the noiseless and the true share where they are known.

    Args:
        shares_by_group: the shares.
        share_draws: possible tables, shape (n, G, k).
        topic_index: column of the topic in all tables, from 0.
    """
    private_shares = shares_by_group.private
    lower_ends, upper_ends = private_shares.interval()
    return [
        ShareOfGroup(
            group=group_name,
            mean=float(private_shares.shares[group_row, topic_index]),
            low=float(lower_ends[group_row, topic_index]),
            high=float(upper_ends[group_row, topic_index]),
            draws=share_draws[:, group_row, topic_index],
            is_vague=bool(private_shares.is_vague[group_row, topic_index]),
            noiseless=_known(shares_by_group.noiseless, group_row, topic_index),
            truth=_known(shares_by_group.truth, group_row, topic_index),
        )
        for group_row, group_name in enumerate(private_shares.groups[:-1])
    ]


def _known(table: Matrix | None, row: int, topic_index: int) -> float | None:
    if table is None or math.isnan(table[row, topic_index]):
        return None
    return float(table[row, topic_index])
