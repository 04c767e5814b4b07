"""Shares of the topics that a page shows: those with evidence, merged as their owner chose."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplda.methods.shares.share_result import TopicShares
from dplda.release.artefact.arrangement import arrange
from dplda.release.artefact.artefact import Artefact
from dplda.release.reuse.exports import topic_names
from dplda.release.shares.shares_file import ReleasedShares

NO_TOPIC_SHOWN = "No topic stands out from the noise, so there is nothing to compare."


@dataclass(frozen=True, slots=True, eq=False)
class ShownShares:
    """Shares of the topics that are shown.

    Attributes:
        topic_shares: the shares, one column for each topic that is shown; None if none is.
        topic_groups: rows of released topics that each of them adds up, from 0.
        names: of the topics that are shown.
    """

    topic_shares: TopicShares | None
    topic_groups: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]


def shares_of_shown_topics(table: ReleasedShares, topics: Artefact) -> ShownShares:
    """Pick the shares of the topics with evidence, in the order and with the names of the report.

    Topics that the owner hid are left out, so rows may sum to less than 1.

    Args:
        table: the released table.
        topics: the release that it was made with, before its owner's arrangement is applied.
    """
    all_groups = topics.groups or tuple((topic,) for topic in range(len(topics.topics)))
    shown_groups = tuple(all_groups[group] for group in arrange(topics).supported_topics)
    names_by_topic = topic_names(topics)
    return ShownShares(
        topic_shares=_merge_topics(table, topics, shown_groups) if shown_groups else None,
        topic_groups=shown_groups,
        names=tuple(names_by_topic[group[0]] for group in shown_groups),
    )


def _merge_topics(
    table: ReleasedShares, topics: Artefact, topic_groups: Sequence[Sequence[int]]
) -> TopicShares:
    """The shares, their draws and their noisy table, with merged topics added up.

    Topics in none of the groups are left out. The standard deviation of the noise stays that of
    one topic.

    Args:
        table: the released table.
        topics: the release that it was made with.
        topic_groups: numbers of the topics, from 0, that each column adds up.
    """
    topic_shares = table.topic_shares(topics.guarantee)
    membership = np.zeros((len(topics.topics), len(topic_groups)))
    for merged_index, group in enumerate(topic_groups):
        membership[list(group), merged_index] = 1
    return TopicShares(
        groups=topic_shares.groups,
        shares=topic_shares.shares @ membership,
        draws=topic_shares.draws @ membership,
        sizes=topic_shares.sizes,
        noisy_table=topic_shares.noisy_table @ membership,
        noise_std=topic_shares.noise_std,
        guarantee=topic_shares.guarantee,
        topics_guarantee=topic_shares.topics_guarantee,
    )
