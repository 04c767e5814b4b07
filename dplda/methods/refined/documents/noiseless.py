"""Refinement without noise: variational passes over all documents, from spectral topics."""

import numpy as np

from dplda.core import checks
from dplda.core.threads import one_thread
from dplda.core.types import Report
from dplda.corpus.corpus import Corpus
from dplda.methods.refined.documents.documents import Documents
from dplda.methods.refined.documents.random_topics import random_topics
from dplda.methods.refined.plan.constants import (
    MIN_WORD_WEIGHT,
    N_NOISELESS_PASSES,
    START_TOPIC_WEIGHT,
)
from dplda.spectral.topics import Topics


@one_thread
def fit_noiseless(
    corpus: Corpus,
    start: Topics,
    *,
    alpha0: float,
    n_passes: int = N_NOISELESS_PASSES,
    seed: int = 0,
    report: Report | None = None,
) -> Topics:
    """Topics by variational passes without noise and without clipping: never private.

    A pass infers the topics of every whole document and takes each topic's expected words as the
    next topic, and its share of all words as its share of α0: variational EM. It climbs the
    likelihood bound of inference in a fixed number of rounds, up to some 10⁻⁷ of it near the top.
    Real text gets better topics with every pass; on documents drawn from the model with α0 well
    above 1, the bound's top is further from the truth than moments are. Topics that ``start``
    leaves unresolved start free of data.

    Args:
        start: topics of a spectral fit.
        alpha0: sum of the Dirichlet's parameters, above 0.
        n_passes: passes over all documents.
        seed: of topics that are free of data.
        report: gets the fraction done and the pass.

    Raises:
        InputError: α0 or the number of passes is out of its range.

    Source:
        Blei, Ng and Jordan 2003, section 5.3.
    """
    checks.integer_at_least("n_passes", n_passes, 1)
    checks.alpha0(alpha0)
    n_topics = len(start.words)
    documents = Documents(corpus.counts, n_topics, max_length=np.inf)
    word_counts = documents.sum_word_counts(clip_norm=np.inf)
    word_frequencies = word_counts / np.sum(word_counts)
    word_weights = np.ones(len(word_counts))
    topics = random_topics(word_frequencies, n_topics, np.random.default_rng(seed))
    topics[: start.resolved] = (
        START_TOPIC_WEIGHT * start.words[: start.resolved]
        + (1 - START_TOPIC_WEIGHT) * word_frequencies
    )
    alpha = np.full(n_topics, alpha0 / n_topics)
    for pass_index in range(n_passes):
        if report is not None:
            report(pass_index / n_passes, f"pass {pass_index + 1} of {n_passes}")
        expected_counts = documents.sum_contributions(
            topics, word_weights, prior=alpha, clip_norm=np.inf
        )
        expected_counts += MIN_WORD_WEIGHT / n_topics * word_counts
        topic_sizes = np.sum(expected_counts, axis=1)
        topics = expected_counts / topic_sizes[:, None]
        alpha = alpha0 * topic_sizes / np.sum(topic_sizes)
    return Topics.without_spectrum(topics, alpha, word_frequencies)
