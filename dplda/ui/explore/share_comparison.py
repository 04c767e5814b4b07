"""Topic shares by group with noise, without it and in truth, topic by topic in numbered places."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from dplda import figures
from dplda.core.types import Matrix, Tensor3
from dplda.experiments.explored_groups import ExploredGroups
from dplda.experiments.shares_choice import SharesChoice
from dplda.figures import Figure, Lane, ShareOfGroup, theme
from dplda.figures.topics.share_dots import N_DRAWS_SHOWN
from dplda.methods.base.runtime import Runtime
from dplda.methods.shares.topic_shares import TopicShares, add_noise
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
        """Mean distance from the true shares, of raw noisy shares and of modeled ones.

        None where the truth is unknown.
        """
        if self.truth is None:
            return None
        raw = self.private.noisy_table / self.private.sizes[:, None]
        listed = slice(0, len(self.truth))
        tables = (raw[listed], self.private.shares[listed])
        raw_error, error = (float(np.nanmean(np.abs(table - self.truth))) for table in tables)
        return raw_error, error


def compare_shares(
    loaded: LoadedExperiment,
    comparison: Comparison,
    explored: ExploredGroups,
    choice: SharesChoice,
) -> ShareComparison | None:
    """Shares of a comparison's topics by group, with noise of the experiment's seed.

    Args:
        loaded: simulated or public documents, and the experiment.
        comparison: its topics in numbered places.
        explored: the groups.
        choice: ε of the table.

    Returns:
        None where the work was canceled.
    """
    corpus = loaded.corpus
    experiment = loaded.experiment
    private_table = share_tables.share_table(corpus, experiment, comparison.private, explored)
    if private_table is None:
        return None
    whole = add_noise(
        private_table,
        explored.groups,
        corpus,
        Runtime(experiment.seed),
        epsilon=choice.epsilon,
        delta=experiment.budget.delta,
        has_public_groups=explored.is_public,
        topics_guarantee=comparison.private.guarantee,
    )
    slots = comparison.lanes[0].filled
    rows = [slot.row or 0 for slot in slots]
    numbers = tuple(slot.number for slot in slots)
    return ShareComparison(
        numbers=numbers,
        private=_of_topics(whole, rows),
        noiseless=_noiseless_shares(loaded, comparison, explored, numbers),
        truth=_true_shares(loaded, comparison, explored, numbers),
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
    explored: ExploredGroups,
    numbers: tuple[int, ...],
) -> Matrix | None:
    """Shares of the noiseless topics in the same places, without noise; None if there are none."""
    result = comparison.noiseless
    if result is None:
        return None
    table = share_tables.share_table(
        loaded.corpus,
        cache.noiseless_experiment(loaded.experiment),
        result,
        explored,
        noise=NoNoise(),
    )
    if table is None:
        return None
    totals = np.asarray(table.value)[:-1]
    shares = totals / np.maximum(totals.sum(axis=1, keepdims=True), 1.0)
    columns = [slot.row for slot in comparison.lanes[1].slots]
    return _in_places(shares, [columns[number - 1] for number in numbers])


def _true_shares(
    loaded: LoadedExperiment,
    comparison: Comparison,
    explored: ExploredGroups,
    numbers: tuple[int, ...],
) -> Matrix | None:
    """True shares in the same places; None where they are unknown, or topics are more or fewer."""
    truth = loaded.corpus.truth
    if truth is None or len(truth.topics) != loaded.experiment.problem.n_topics:
        return None
    for groups in truth.groups:
        if groups.column.name == explored.column:
            columns = _true_columns(comparison.lanes[-1], truth.topics)
            return _in_places(groups.shares, [columns[number - 1] for number in numbers])
    return None


def _true_columns(lane: Lane, true_topics: Matrix) -> list[int | None]:
    """Number of the true topic in each place, from 0; None for a place without one."""
    columns: list[int | None] = []
    for slot in lane.slots:
        if slot.words is None:
            columns.append(None)
            continue
        is_equal = np.all(true_topics == slot.words, axis=1)
        columns.append(int(np.argmax(is_equal)))
    return columns


def _in_places(shares: Matrix, columns: list[int | None]) -> Matrix:
    """Columns of a table in the order of places; NaN where a place has no topic."""
    missing = np.full(len(shares), np.nan)
    return np.column_stack([missing if column is None else shares[:, column] for column in columns])


def topic_figures(
    compared: ShareComparison,
    explored: ExploredGroups,
    names: Mapping[int, str],
    *,
    watermark: str,
    n_shown: int,
) -> list[Figure]:
    """A figure for each topic, all on one scale.

    Args:
        compared: the shares.
        explored: the groups.
        names: of topics, by number.
        watermark: written across each figure; empty for none.
        n_shown: most topics.
    """
    draws = _draws_shown(compared.private.draws)
    axis_end = _axis_end(compared, draws)
    draw_figure = figures.share_lines if explored.is_time else figures.share_dots
    return [
        draw_figure(
            _shares_of_topic(compared, draws, topic),
            title=f"{number} · {names[number]}",
            colour=theme.topic_colour(number),
            axis_end=axis_end,
            watermark=watermark,
        )
        for topic, number in enumerate(compared.numbers[:n_shown])
    ]


def _draws_shown(draws: Tensor3) -> Tensor3:
    """Some of the draws, evenly spaced."""
    places = np.linspace(0, len(draws) - 1, N_DRAWS_SHOWN).astype(int)
    return np.asarray(draws[places])


def _axis_end(compared: ShareComparison, draws: Tensor3) -> float:
    """Share at the end of the axis, which holds everything drawn."""
    tables = [draws[:, :-1], compared.private.shares[:-1], compared.noiseless, compared.truth]
    largest = max(float(np.nanmax(table)) for table in tables if table is not None)
    return min(1.0, AXIS_STEP * math.ceil(largest / AXIS_STEP))


def _shares_of_topic(compared: ShareComparison, draws: Tensor3, topic: int) -> list[ShareOfGroup]:
    """The shares of a topic in every listed group."""
    private = compared.private
    low, high = private.interval()
    return [
        ShareOfGroup(
            group=group,
            mean=float(private.shares[row, topic]),
            low=float(low[row, topic]),
            high=float(high[row, topic]),
            draws=draws[:, row, topic],
            is_vague=bool(private.is_vague[row, topic]),
            noiseless=_known(compared.noiseless, row, topic),
            truth=_known(compared.truth, row, topic),
        )
        for row, group in enumerate(private.groups[:-1])
    ]


def _known(table: Matrix | None, row: int, topic: int) -> float | None:
    if table is None or math.isnan(table[row, topic]):
        return None
    return float(table[row, topic])
