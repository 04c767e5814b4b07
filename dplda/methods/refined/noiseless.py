"""Refinement without noise: variational passes over all documents, from spectral topics."""

import numpy as np

from dplda.core import checks
from dplda.core.threads import one_thread
from dplda.core.types import Report
from dplda.corpus.corpus import Corpus
from dplda.methods.refined.documents import Documents
from dplda.methods.refined.running_mean import MIN_WORD_WEIGHT
from dplda.methods.refined.spectral_start import random_topics
from dplda.spectral.topics import Topics

N_PASSES = 12  # over all documents
START_TOPIC_WEIGHT = (
    0.99  # of a spectral topic; the rest is the mean, so that no word has probability 0
)


@one_thread
def fit_noiseless(
    corpus: Corpus,
    start: Topics,
    *,
    alpha0: float,
    passes: int = N_PASSES,
    seed: int = 0,
    report: Report | None = None,
) -> Topics:
    """Topics by variational passes without noise and without clipping: never private.

    A pass infers the topics of every whole document and takes each topic's expected words as the next topic, and its
    share of all words as its share of α0: variational EM. It climbs the likelihood bound of inference in a fixed number
    of rounds, up to some 10⁻⁷ of it near the top. Real text gets better topics with every pass; on documents drawn from
    the model with α0 well above 1, the bound's top is further from the truth than moments are. Topics that ``start``
    leaves unresolved start free of data.

    Source:
        Blei, Ng and Jordan 2003, section 5.3.
    """
    checks.integer_at_least("passes", passes, 1)
    checks.alpha0(alpha0)
    k = len(start.words)
    documents = Documents(corpus.counts, k, longest=np.inf)
    counts = documents.sum_word_counts(bound=np.inf)
    mean_words, weights = counts / np.sum(counts), np.ones(len(counts))
    topics = random_topics(mean_words, k, np.random.default_rng(seed))
    topics[: start.resolved] = (
        START_TOPIC_WEIGHT * start.words[: start.resolved] + (1 - START_TOPIC_WEIGHT) * mean_words
    )
    alpha = np.full(k, alpha0 / k)
    for t in range(passes):
        if report is not None:
            report(t / passes, f"pass {t + 1} of {passes}")
        expected = documents.sum_contributions(topics, weights, prior=alpha, bound=np.inf)
        expected += MIN_WORD_WEIGHT / k * counts
        sizes = np.sum(expected, axis=1)
        topics, alpha = expected / sizes[:, None], alpha0 * sizes / np.sum(sizes)
    return Topics.without_spectrum(topics, alpha, mean_words)
