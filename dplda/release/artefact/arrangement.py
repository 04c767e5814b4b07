"""Released topics as their owner arranges them: merged, reordered, hidden; post-processing."""

from dataclasses import replace

import numpy as np

from dplda.core.formatting import counted
from dplda.core.types import Matrix
from dplda.evaluation.evidence import ReleasedEvidence
from dplda.release.artefact.artefact import Artefact


def arrange(artefact: Artefact) -> Artefact:
    """Apply the owner's arrangement to a release: order, merge and leave out topics.

    Topics come in the order of ``groups``; a topic in no group is hidden, so it is left out.
    Returns the release unchanged if it has no groups.

    A merged topic is the mean of its parts, weighted by their released shares. Ends of its
    intervals are the same mean of theirs: a standard deviation of a sum is at most the sum of
    standard deviations, however errors depend on each other, so they are rather too wide. It counts
    as supported if one of its parts does: its evidence is that of the part with the largest gain.
    Its name is that of the first part.
    """
    if not artefact.groups:
        return artefact
    membership = np.zeros((len(artefact.groups), len(artefact.topics)))
    for row, group in enumerate(artefact.groups):
        membership[row, list(group)] = 1
    weights = membership * np.maximum(artefact.topic_shares, np.finfo(float).tiny)
    weights /= np.sum(weights, axis=1, keepdims=True)
    told_apart = artefact.told_apart
    return replace(
        artefact.without_additions,
        topics=weights @ artefact.topics,
        topic_shares=membership @ artefact.topic_shares,
        lower=_averaged(artefact.lower, weights),
        upper=_averaged(artefact.upper, weights),
        told_apart=None if told_apart is None else membership @ told_apart,
        prior_topics=_averaged(artefact.prior_topics, weights),
        evidence=_evidence_of_largest_parts(artefact),
        names=_names_of_first_parts(artefact),
    )


def describe_arrangement(artefact: Artefact) -> str:
    """Describe the topics that the owner merged or hid, in two sentences for readers of the result.

    The first has the number of merged topics and that of hidden ones. The second says that the
    file keeps all topics. Returns an empty text if the owner changed nothing but the order.
    """
    change_phrases = []
    merged_sizes = [len(group) for group in artefact.groups if len(group) > 1]
    if merged_sizes:
        merged_phrase = counted(len(merged_sizes), "topic")
        change_phrases.append(f"{sum(merged_sizes)} of them are merged into {merged_phrase}")
    n_hidden = 0
    if artefact.groups:
        n_shown = sum(len(group) for group in artefact.groups)
        n_hidden = len(artefact.topics) - n_shown
    if n_hidden:
        verb = "is" if n_hidden == 1 else "are"
        change_phrases.append(f"{n_hidden} {verb} hidden")
    if not change_phrases:
        return ""
    return (
        f"The owner arranged these topics: {' and '.join(change_phrases)}. The released file keeps"
        " all of them."
    )


def _averaged(values: Matrix | None, weights: Matrix) -> Matrix | None:
    """Weighted means of each group's rows, shape (groups, d)."""
    return None if values is None else weights @ values


def _evidence_of_largest_parts(artefact: Artefact) -> ReleasedEvidence | None:
    """The evidence of each group's topic with the largest gain, in the order of the groups.

    None without evidence. The release has to have groups.
    """
    evidence = artefact.evidence
    if evidence is None:
        return None
    gains = evidence.by_topic
    return evidence.reorder_topics(
        [max(group, key=lambda topic: gains[topic]) for group in artefact.groups]
    )


def _names_of_first_parts(artefact: Artefact) -> tuple[str | None, ...]:
    if not artefact.names:
        return ()
    return tuple(artefact.names[group[0]] for group in artefact.groups)
