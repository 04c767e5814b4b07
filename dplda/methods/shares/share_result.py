"""Topic shares by group as their readers have them: means, ranges and comparisons of one table."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.types import Matrix, Tensor3, Vector
from dplda.methods.base.guarantees import SELECTION_SENTENCE
from dplda.methods.shares.groups import Groups
from dplda.methods.shares.share_posterior import draw_share_tables, group_sizes
from dplda.privacy.accounting import gaussian
from dplda.privacy.release import Guarantee, Release, Status

LEVEL = 0.9  # of an interval
SELECTED_GROUPS_SENTENCE = (
    "The groups were chosen privately by their size, with noise that is part of this ε and δ."
    " Documents of any other group, or of none, are in the row ‘other’, and no row is left out."
)


@dataclass(frozen=True, eq=False, kw_only=True)  # without slots, so that intervals are kept
class TopicShares:
    """Topic shares by group, from one noisy table.

    Attributes:
        groups: names of the rows, (G,); the last is ``other``.
        shares: mean of the draws, (G, k), rows sum to 1.
        draws: tables that the noisy one leaves possible, (n, G, k), rows sum to 1.
        sizes: noisy number of documents with words in each group, or of persons, (G,); at least
            twice the noise of a cell.
        noisy_table: documents (or persons) by group and topic, with noise, (G, k).
        noise_std: standard deviation of the noise of each cell.
        guarantee: of this table, beside that of the topics.
        topics_guarantee: of the topics that it was made with.
        release: the noisy table with its mechanism; None where it was read from a file.

    Example:
        >>> import dplda
        >>> corpus = dplda.simulate(
        ...     n_documents=2000, n_words=30, n_topics=2, alpha0=0.5, mean_length=30, seed=0
        ... )
        >>> model = dplda.RefinedLDA(2, alpha0=0.5, epsilon=3.0).fit(corpus)
        >>> years = ["2001", "2002"] * 1000
        >>> by_year = dplda.topic_shares(model, corpus, years, ["2001", "2002"], epsilon=1.0)
        >>> 0 <= by_year.probability_larger("2002", "2001", topic=0) <= 1
        True
        >>> low, high = by_year.interval(0.9)
        >>> low.shape
        (3, 2)
    """

    groups: tuple[str, ...]
    shares: Matrix
    draws: Tensor3
    sizes: Vector
    noisy_table: Matrix
    noise_std: float
    guarantee: Guarantee
    topics_guarantee: Guarantee | None = None
    release: Release | None = field(default=None, repr=False)

    @classmethod
    def from_table(
        cls,
        noisy_table: Matrix,
        noise_std: float,
        groups: Groups,
        guarantee: Guarantee,
        *,
        topics_guarantee: Guarantee | None = None,
        release: Release | None = None,
    ) -> "TopicShares":
        """Draw the tables that a noisy one leaves possible, and take their mean as the shares.

        It is post-processing, so it costs nothing.

        Args:
            noisy_table: documents by group and topic, with noise, (G, k), ``other`` last.
            noise_std: standard deviation of the noise of each cell, above 0.
            groups: the public list of groups.
            guarantee: of the table.
            topics_guarantee: of the topics; None if unknown.
            release: the table as its mechanism made it; None where it was read from a file.
        """
        draws = draw_share_tables(noisy_table, noise_std, chains=groups.chains)
        return cls(
            groups=groups.labels,
            shares=draws.mean(axis=0),
            draws=draws,
            sizes=group_sizes(noisy_table, noise_std),
            noisy_table=noisy_table,
            noise_std=noise_std,
            guarantee=guarantee,
            topics_guarantee=topics_guarantee,
            release=release,
        )

    def probability_larger(self, a: str | int, b: str | int, topic: int) -> float:
        """Fraction of possible tables in which a topic has a larger share in ``a`` than in ``b``.

        A table in which they are equal counts half.

        Args:
            a: a group's name or row.
            b: another group's name or row.
            topic: number of the topic, from 0.

        Raises:
            InputError: there is no such group or topic.
        """
        checks.integer_between("topic", topic, 0, self.shares.shape[1] - 1)
        shares_in_a = self.draws[:, self._row(a), topic]
        shares_in_b = self.draws[:, self._row(b), topic]
        return float(np.mean(shares_in_a > shares_in_b) + np.mean(shares_in_a == shares_in_b) / 2)

    def interval(self, level: float = LEVEL) -> tuple[Matrix, Matrix]:
        """Ends of the central interval of every share, each (G, k).

        Args:
            level: fraction of possible tables that it holds, in (0, 1).

        Raises:
            InputError: the level is not in (0, 1).
        """
        checks.between("level", level, 0, 1, open_ends=True)
        return self._usual_interval if level == LEVEL else self._ends_of(level)

    @cached_property
    def _usual_interval(self) -> tuple[Matrix, Matrix]:
        return self._ends_of(LEVEL)

    def _ends_of(self, level: float) -> tuple[Matrix, Matrix]:
        low, high = np.quantile(self.draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
        return low, high

    @cached_property
    def is_vague(self) -> NDArray[np.bool_]:
        """Whether a share's interval covers those of all groups, (G, k): it tells nothing."""
        low, high = self.interval()
        is_listed = np.arange(len(self.groups)) < len(self.groups) - 1
        least = np.min(self.shares[is_listed], axis=0)
        largest = np.max(self.shares[is_listed], axis=0)
        return np.asarray((low <= least) & (high >= largest))

    @property
    def epsilon_with_topics(self) -> float | None:
        """ε of topics and shares together, at the δ of the topics.

        None if the topics' guarantee is unknown, if either is not private, if the topics are not as
        private as one Gaussian mechanism (those of Refined are), or if their words or the groups
        were selected, which δ pays for, too.
        """
        topics_guarantee = self.topics_guarantee
        if topics_guarantee is None or Status.NOT_PRIVATE in (
            topics_guarantee.status,
            self.guarantee.status,
        ):
            return None
        if not topics_guarantee.is_gaussian or _has_selected_words(topics_guarantee):
            return None
        if SELECTED_GROUPS_SENTENCE in self.guarantee.rests_on:
            return None
        shares_mu = gaussian.mu_for(self.guarantee.claimed_epsilon, self.guarantee.claimed_delta)
        topics_mu = gaussian.mu_for(
            topics_guarantee.claimed_epsilon, topics_guarantee.claimed_delta
        )
        return gaussian.epsilon_for(
            gaussian.compose([topics_mu, shares_mu]), topics_guarantee.claimed_delta
        )

    def _row(self, group: str | int) -> int:
        """Row of a group by its name or its number from 0.

        Raises:
            InputError: there is no such group, or the number is negative.
        """
        if isinstance(group, str):
            if group not in self.groups:
                raise InputError("group", "one of TopicShares.groups", repr(group))
            return self.groups.index(group)
        checks.integer_between("group", group, 0, len(self.groups) - 1)
        return int(group)


def _has_selected_words(guarantee: Guarantee) -> bool:
    return any(sentence.startswith(SELECTION_SENTENCE) for sentence in guarantee.rests_on)
