"""An owner's arrangement of released topics: merged, reordered, hidden. Post-processing; the released topics stay."""

from dataclasses import replace

import numpy as np

from dplda.core.formatting import counted
from dplda.release.artefact.released_file import ARRAYS, Artefact


def arranged(one: Artefact) -> Artefact:
    """The release as its owner shows it, topics in the order of its groups.

    A merged topic is the mean of its parts, weighted by their released shares. Ends of its intervals are the same mean
    of theirs: a standard deviation of a sum is at most the sum of standard deviations, however errors depend on each
    other, so they are rather too wide. It counts as supported if one of its parts does, and is named as the first.
    """
    if not one.groups:
        return one
    sums = np.zeros((len(one.groups), len(one.words)))
    for row, group in enumerate(one.groups):
        sums[row, list(group)] = 1
    weights = sums * np.maximum(one.shares, np.finfo(float).tiny)
    weights /= np.sum(weights, axis=1, keepdims=True)
    by_axes = {"md": weights, "m": sums}
    arrays = {name: (getattr(one, name), by_axes.get(axes)) for name, axes in ARRAYS.items()}
    found = {
        name: by @ array
        for name, (array, by) in arrays.items()
        if array is not None and by is not None
    }
    if (evidence := one.evidence) is not None:  # of the largest part
        evidence = evidence.of(
            [max(group, key=evidence.by_topic.__getitem__) for group in one.groups]
        )
    names = tuple(one.names[group[0]] for group in one.groups) if one.names else ()
    return replace(one.bare, **found, evidence=evidence, names=names)


def in_words(one: Artefact) -> str:
    """What the owner changed, for readers who only see the result; empty if nothing but the order."""
    merged = [len(group) for group in one.groups if len(group) > 1]
    hidden = len(one.words) - sum(map(len, one.groups)) if one.groups else 0
    said = [
        *(
            [f"{sum(merged)} of them are merged into {counted(len(merged), 'topic')}"]
            if merged
            else []
        ),
        *([f"{hidden} {'is' if hidden == 1 else 'are'} hidden"] if hidden else []),
    ]
    return (
        f"The owner arranged these topics: {' and '.join(said)}. The released file keeps all of them."
        if said
        else ""
    )
