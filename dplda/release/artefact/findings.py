"""Publishable results of a run: releases, what follows from them, and what was public before."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from dplda.core.errors import InputError
from dplda.evaluation.relevance import LONGEST_NAME, named
from dplda.methods.base.method import FitResult
from dplda.methods.refined.prior_sources import PriorKind, PriorSource
from dplda.privacy.release import Release
from dplda.release.artefact.released_file import DrawnValue, Findings

OFTEN = 1.5  # times as often as in all documents: a topic may be named by words that it uses so


def findings_of(
    found: FitResult,
    method: str,
    alpha0: float,
    *,
    vocabulary: Sequence[str],
    documents: str,
    n_documents: int | None,
    in_order: bool = False,
    ranges: bool = True,
) -> Findings:
    """Publishable results of a run with noise, topics in the order of ``supported_first`` unless they are in order.

    ``ranges`` tells whether those of words are worked out, which takes long.
    """
    topics, uncertainty, evidence = found.topics, found.uncertainty, found.evidence
    order = list(range(len(found.topic_shares))) if in_order else supported_first(found)
    k, d = topics.words.shape
    if not found.releases:
        raise InputError("run", "of a method with noise", "one without noise")
    if len(vocabulary) != d:
        raise InputError("vocabulary", f"of {d:,} words", f"{len(vocabulary):,}")
    lower, upper = uncertainty.interval() if uncertainty is not None and ranges else (None, None)
    return Findings(
        documents=documents,
        n_documents=n_documents,
        vocabulary=tuple(vocabulary),
        method=method,
        n_topics=k,
        alpha0=alpha0,
        words=topics.words[order],
        mean_words=topics.mean_words,
        shares=found.topic_shares[order],
        lower=None if lower is None else lower[order],
        upper=None if upper is None else upper[order],
        evidence=None if evidence is None else evidence.of(order),
        brought=None if found.prior_topics is None else found.prior_topics[order],
        table=found.prior,
        drawn=tuple(map(_drawn, found.releases)),
    )


def supported_first(found: FitResult) -> list[int]:
    """Order of topics: those with evidence first, the largest first in both groups; that of a table without steps."""
    evidence, parts = found.evidence, found.topic_shares
    there = range(len(parts))  # a method may find fewer than k
    if (
        found.state is not None and found.state.steps is None
    ):  # a continuation begins with the table's
        return list(there)
    return sorted(
        there,
        key=lambda topic: (evidence is not None and not evidence.above_noise[topic], -parts[topic]),
    )


def named_by_themes(one: Findings, table: PriorSource | None) -> tuple[str | None, ...]:
    """Names by themes of seed words, each for the topic with evidence that uses its words most, more than ``OFTEN``."""
    if table is None or table.kind is not PriorKind.SEEDS:
        return ()
    known, names = table.load_prior(one.n_topics), [""] * len(one.words)
    themes = list(
        dict.fromkeys(
            line.partition(":")[0].strip() for line in table.content.splitlines() if line.strip()
        )
    )
    own = [
        np.isin(one.vocabulary, np.array(known.words)[row > 1])
        for row in known.ratios[: len(themes)]
    ]
    words = one.words[list(one.supported)]
    uses = np.array(
        [words[:, of].sum(axis=1) / max(one.mean_words[of].sum(), 1e-300) for of in own]
    )
    for theme, place in zip(*linear_sum_assignment(uses, maximize=True), strict=True):
        if uses[theme, place] > OFTEN:
            names[one.supported[place]] = themes[theme]
    return tuple(named(name[:LONGEST_NAME]) for name in names)


def _drawn(one: Release) -> DrawnValue:
    sensitivity, scale, mu = float(one.sensitivity), float(one.scale), float(one.mu)
    return DrawnValue(one.quantity, one.shape, one.mechanism, sensitivity, scale, mu, times=1)
