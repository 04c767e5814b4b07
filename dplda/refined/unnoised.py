"""Refinement without noise: exact variational passes over all documents, from the exact spectral topics."""

import numpy as np

from dplda import _check
from dplda._types import Report
from dplda.corpus.corpus import Corpus
from dplda.fitting.guarantees import not_private
from dplda.fitting.pipeline import fit as spectral_fit
from dplda.fitting.sums import Sums
from dplda.refined.budget import Shares
from dplda.refined.documents import Documents
from dplda.refined.result import Refined
from dplda.refined.start import OWN_WORDS
from dplda.refined.steps import Steps, Words


def unnoised_refine(
    corpus: Corpus,
    *,
    n_topics: int,
    alpha0: float,
    passes: int = 12,
    seed: int = 0,
    report: Report | None = None,
    sums: Sums | None = None,
) -> Refined:
    """Topics by variational passes without noise and without clipping.

    Args:
        corpus: N documents over d words.
        n_topics: ``k``, 2 ≤ k ≤ d.
        alpha0: ``α0`` > 0.
        passes: over all documents, at least 1; each takes its topics from the statistic of the one before.
        seed: fixes the starts of the decomposition.
        report: told the fraction done and the step, in the calling thread; may raise to give up.
        sums: the corpus' remembered averages.

    Returns:
        Topics that are not private; no weight of moments.

    Raises:
        DpldaError: as ``pipeline.fit`` without a plan.
    """
    _check.integer_at_least("passes", passes, 1)
    found = spectral_fit(corpus, None, n_topics=n_topics, alpha0=alpha0, seed=seed, sums=sums).topics
    documents = Documents(corpus.counts, n_topics)
    words = Words(documents.word_counts(bound=np.inf), 0.0)
    start = OWN_WORDS * found.words + (1 - OWN_WORDS) * words.frequencies
    steps = Steps(words, start, memory=np.inf)
    for t in range(passes):
        if report is not None:
            report(t / passes, f"pass {t + 1} of {passes}")
        statistic = documents.contributions(steps.topics, words.weights, prior=alpha0 / n_topics, bound=np.inf)
        steps.learn(statistic.total, 0.0)
    return Refined(
        topics=steps.topics,
        alpha=np.full(n_topics, alpha0 / n_topics),
        mean_words=steps.mean_words,
        told_apart=steps.told_apart(),
        moments_weight=np.zeros(n_topics),
        shares=Shares(0.0, 0.0, 0.0, passes),
        releases=(),
        guarantee=not_private("no noise was added."),
        uncertainty=None,
    )
