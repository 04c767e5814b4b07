"""A request for topic shares by group, frozen before any noise is drawn."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.corpus import Corpus, Selection
from dplda.methods.shares.group_selection import plan_group_selection, table_mu
from dplda.methods.shares.groups import Groups
from dplda.methods.shares.share_table import share_bound
from dplda.methods.shares.time_labels import month_of, year_of
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.budget_caps import Spending
from dplda.privacy.noise.exact import tv_slack_of
from dplda.privacy.release import Caveat
from dplda.privacy.word_selection.selection import round_noise
from dplda.privacy.word_selection.thresholds import selection_thresholds
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import parent_of
from dplda.release.shares.shares_file import SELECTED_AXIS, AxisSource
from dplda.release.workflow.request import ROUNDING_MARGIN


@dataclass(frozen=True)
class SharesRequest:
    """A request for one table of shares, from the topics of an earlier release.

    Attributes:
        dataset: the ledger's name for the documents.
        parent: the release whose topics are used.
        groups: the lists of groups; placeholders where they are chosen privately by size.
        sources: for each axis of ``groups``, the column of its labels and how it is read.
        epsilon: ε of the table, with the choice of its groups, above 0.
        delta: δ of both, in (0, 0.5).
        caveats: what was seen of these documents before the request; the release states it.

    Raises:
        InputError: a number is out of range, or axes and sources do not fit each other.
    """

    dataset: str
    parent: Artefact
    groups: Groups
    sources: tuple[AxisSource, ...]
    epsilon: float
    delta: float
    caveats: tuple[Caveat, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a budget out of range and columns that do not fit; keep ε and δ as floats.

        Only groups of the first list can be chosen by size.

        Raises:
            InputError: ε or δ is out of range, columns and lists differ in number, or groups of the
                second list are chosen by size.
        """
        checks.epsilon(self.epsilon)
        checks.delta(self.delta)
        if len(self.sources) != len(self.groups.axes):
            raise InputError(
                "columns", f"one for each of {len(self.groups.axes)} lists", f"{len(self.sources)}"
            )
        if self.groups.selected_axis not in (None, SELECTED_AXIS):
            raise InputError("groups", "chosen by size on the first list", "on the second")
        object.__setattr__(self, "epsilon", float(self.epsilon))
        object.__setattr__(self, "delta", float(self.delta))

    @property
    def n_topics(self) -> int:
        """Topics of the parent, which may be fewer than were asked for."""
        return len(self.parent.topics)

    @cached_property
    def selection(self) -> Selection | None:
        """The part of the release that chooses groups by size; None for public lists."""
        place = self.groups.selected_axis
        if place is None:
            return None
        n_groups = len(self.groups.axes[place].labels)
        return plan_group_selection(n_groups, epsilon=self.epsilon, delta=self.delta)

    @cached_property
    def mu(self) -> float:
        """Gaussian budget of the table, without the choice of its groups."""
        return table_mu(self.selection, epsilon=self.epsilon, delta=self.delta)

    def noise_std(self, n_units: int) -> float:
        """Standard deviation of the noise of a cell, in documents or persons.

        Args:
            n_units: documents, or persons where they are protected.
        """
        return share_bound(n_units, self.n_topics).exact_sensitivity / self.mu

    def spending(self, n_units: int) -> Spending:
        """Gaussian spending that the table adds to the releases before it, from public numbers.

        Groups that are chosen by size add the noise and the failure of their selection.

        Args:
            n_units: documents, or persons where they are protected.
        """
        return spending_of_table(
            self.mu,
            self.noise_std(n_units),
            self.selection,
            n_rows=self.groups.n_rows,
            n_topics=self.n_topics,
            n_units=n_units,
        )

    def canonical_text(self) -> str:
        """Write all that changes the result, except documents and labels, as JSON.

        Caveats are left out. Groups that are chosen by size count by their number alone.
        """
        identifying_axes = [
            [len(axis.labels), "chosen by size"]
            if axis.is_selected
            else [list(axis.labels), axis.is_ordered]
            for axis in self.groups.axes
        ]
        identifying_sources = [
            [axis_source.column, axis_source.kind.value] for axis_source in self.sources
        ]
        number_texts = [repr(self.epsilon), repr(self.delta)]
        parent_sha256 = parent_of(self.parent).sha256
        return json.dumps(
            [
                "topic shares",
                self.dataset,
                parent_sha256,
                identifying_axes,
                identifying_sources,
                *number_texts,
            ]
        )

    def labels_of(self, corpus: Corpus) -> list[list[str]]:
        """For each axis the label of every document, as the list of groups writes them.

        Raises:
            CorpusError: a column was not read as labels.
        """
        return [_read_labels(corpus.labels_in(source.column), source) for source in self.sources]


def spending_of_table(
    mu: float,
    noise_std: float,
    selection: Selection | None,
    *,
    n_rows: int,
    n_topics: int,
    n_units: int,
) -> Spending:
    """Gaussian spending of a table and of the choice of its groups.

    Args:
        mu: μ of the table alone.
        noise_std: standard deviation of the noise of a cell, in documents or persons.
        selection: how groups are chosen by size; None for public lists.
        n_rows: rows of the table, the one for everybody else included.
        n_topics: k.
        n_units: documents, or persons where they are protected.
    """
    noise_in_grid_steps = noise_std / share_bound(n_units, n_topics).grid_step
    tv_slack = tv_slack_of(n_rows * n_topics, noise_in_grid_steps)
    if selection is None:
        return Spending(mu, 0.0, tv_slack * ROUNDING_MARGIN)
    selection_spending = selection_thresholds(selection)
    tv_slack += sum(
        tv_slack_of(n_numbers, selection_noise_std)
        for n_numbers, selection_noise_std in round_noise(selection, n_units)
    )
    return Spending(
        gaussian.compose([selection_spending.mu, mu]),
        selection_spending.selection_failure,
        tv_slack * ROUNDING_MARGIN,
    )


def digest_of_labels(labels: Sequence[Sequence[str]]) -> bytes:
    """A hash of the labels of all documents, to tell requests apart under the folder's key."""
    digest = hashlib.sha256()
    for axis_labels in labels:
        distinct_labels, label_numbers = np.unique(
            np.array(axis_labels, dtype=np.str_), return_inverse=True
        )
        digest.update(json.dumps(distinct_labels.tolist()).encode())
        digest.update(label_numbers.astype("<i8").tobytes())
    return digest.digest()


def _read_labels(labels: list[str], source: AxisSource) -> list[str]:
    """Labels as they are, or the month or year that a date lies in; "" where it is no date."""
    if source.kind is source.kind.MONTH:
        return [month_of(label) for label in labels]
    if source.kind is source.kind.YEAR:
        return [year_of(label) for label in labels]
    return labels
