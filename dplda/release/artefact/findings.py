"""Publishable results of a run: releases, what follows from them, and what was public before."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from dplda.core.errors import InputError
from dplda.core.types import Matrix
from dplda.evaluation.relevance import MAX_NAME_CHARACTERS, clean_topic_name
from dplda.methods.base.method import FitResult
from dplda.methods.base.prior_source import PriorKind, PriorSource
from dplda.methods.refined.prior.prior_files import prior_from_source
from dplda.privacy.release import Release
from dplda.release.artefact.artefact import Findings, NoisyValueFacts

MIN_RELATIVE_USE = 1.5
"""A theme may name a topic that uses its words at least so many times as often as all documents."""

_TINY = 1e-300


def findings_of(
    fit: FitResult,
    method: str,
    alpha0: float,
    *,
    vocabulary: Sequence[str],
    documents: str,
    n_documents: int | None,
    keeps_topic_order: bool = False,
    with_intervals: bool = True,
) -> Findings:
    """Collect the publishable results of a run with noise, without its noisy values.

    Args:
        fit: result of the run.
        method: title of its method.
        alpha0: ``α0`` of the request.
        vocabulary: the ``d`` words.
        documents: public name of the documents.
        n_documents: ``N``, or None to leave it out.
        keeps_topic_order: whether topics stay in the run's order, else as
            ``order_supported_first``.
        with_intervals: whether intervals of words are worked out, which takes long; if not, their
            ends are None.

    Raises:
        InputError: the run released no noisy value, or the vocabulary has not as many words.
    """
    if not fit.releases:
        raise InputError("run", "of a method with noise", "one without noise")
    n_topics, n_words = fit.topics.words.shape
    if len(vocabulary) != n_words:
        raise InputError(
            "vocabulary", f"as long as rows of topics: {n_words:,} words", f"{len(vocabulary):,}"
        )
    published_order = list(range(len(fit.topic_shares)))
    if not keeps_topic_order:
        published_order = order_supported_first(fit)
    lower, upper = _intervals(fit, published_order) if with_intervals else (None, None)
    return Findings(
        documents=documents,
        n_documents=n_documents,
        vocabulary=tuple(vocabulary),
        method=method,
        n_topics=n_topics,
        alpha0=alpha0,
        topics=fit.topics.words[published_order],
        word_frequencies=fit.topics.mean_words,
        topic_shares=fit.topic_shares[published_order],
        lower=lower,
        upper=upper,
        evidence=None if fit.evidence is None else fit.evidence.reorder_topics(published_order),
        prior_topics=None if fit.prior_topics is None else fit.prior_topics[published_order],
        prior_use=fit.prior,
        noisy_values=tuple(_without_value(release) for release in fit.releases),
    )


def order_supported_first(fit: FitResult) -> list[int]:
    """Indices of a run's topics in published order: those with evidence first, then by size.

    By size alone if the run has no evidence. A run that took the topics of a public table and made
    no steps keeps the table's order.
    """
    every_topic = range(len(fit.topic_shares))  # a method may find fewer than k
    if fit.state is not None and fit.state.steps is None:
        return list(every_topic)
    evidence = fit.evidence

    def rank(topic: int) -> tuple[bool, float]:
        is_unsupported = evidence is not None and not evidence.is_above_noise[topic]
        return is_unsupported, -float(fit.topic_shares[topic])

    return sorted(every_topic, key=rank)


def name_by_themes(findings: Findings, prior: PriorSource | None) -> tuple[str | None, ...]:
    """Name topics after themes of seed words, at most one topic for each theme.

    Themes are assigned to topics with evidence so that the sum of relative uses is largest. A theme
    whose topic uses its words at most ``MIN_RELATIVE_USE`` times as often as all documents do names
    none. Names are cut to ``MAX_NAME_CHARACTERS`` characters.

    Args:
        findings: of the run.
        prior: public knowledge of the run; None for none.

    Returns:
        A name or None for each topic; empty unless the public knowledge is seed words.
    """
    if prior is None or prior.kind is not PriorKind.SEEDS:
        return ()
    theme_lines = [line for line in prior.content.splitlines() if line.strip()]
    themes = list(dict.fromkeys(line.partition(":")[0].strip() for line in theme_lines))
    relative_uses = _relative_uses(findings, prior, len(themes))
    topic_names = [""] * len(findings.topics)
    for theme, supported_index in zip(
        *linear_sum_assignment(relative_uses, maximize=True), strict=True
    ):
        if relative_uses[theme, supported_index] > MIN_RELATIVE_USE:
            topic_names[findings.supported_topics[supported_index]] = themes[theme]
    return tuple(clean_topic_name(topic_name[:MAX_NAME_CHARACTERS]) for topic_name in topic_names)


def _intervals(fit: FitResult, order: list[int]) -> tuple[Matrix | None, Matrix | None]:
    """Ends of the intervals of words, both of shape (m, d); None for a method without them."""
    if fit.uncertainty is None:
        return None, None
    lower, upper = fit.uncertainty.interval()
    return lower[order], upper[order]


def _relative_uses(findings: Findings, prior: PriorSource, n_themes: int) -> Matrix:
    """Shares of themes' seed words in supported topics, relative to all documents.

    Seed words of a theme are the words that its row of the public table raises. Shape: themes ×
    supported topics.
    """
    prior_table = prior_from_source(prior, findings.n_topics)
    prior_words = np.array(prior_table.words)
    supported_topics = findings.topics[list(findings.supported_topics)]
    uses_by_theme = []
    for ratios in prior_table.ratios[:n_themes]:
        is_seed = np.isin(findings.vocabulary, prior_words[ratios > 1])
        overall_use = max(findings.word_frequencies[is_seed].sum(), _TINY)
        uses_by_theme.append(supported_topics[:, is_seed].sum(axis=1) / overall_use)
    return np.array(uses_by_theme)


def _without_value(release: Release) -> NoisyValueFacts:
    """Facts about a release, as a released file holds them, without its value."""
    return NoisyValueFacts(
        quantity=release.quantity,
        shape=release.shape,
        mechanism=release.mechanism,
        sensitivity=float(release.sensitivity),
        scale=float(release.scale),
        mu=float(release.mu),
        times=1,
    )
