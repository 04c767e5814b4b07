"""Variational inference without noise: scikit-learn's online learner."""

import numpy as np

from dplda.core import checks
from dplda.core.threads import one_thread
from dplda.core.types import Matrix
from dplda.corpus.corpus import Corpus
from dplda.methods.base.problem import Problem
from dplda.methods.base.runtime import DEFAULT_RUNTIME, Runtime
from dplda.spectral.topics import Topics

BATCH = 256
OFFSET, DECAY, TOPIC_PRIOR = 10.0, 0.5, 0.1
LARGEST_SEED = 2**32 - 1  # for scikit-learn; a larger one is hashed
TOLERANCE = 0.1  # mean change of γ in words; scikit-learn's default of 0.001 gives the same topics in thrice the time
VISITS = 200_000  # documents visited in all: every document at least once, and at most twenty times


def topics_of(parameters: Matrix, alpha0: float) -> Topics:
    """Expected topics of Dirichlet rows, shape (k, d), their weighted mean, and equal parts of α0."""
    k, mean = len(parameters), parameters.sum(axis=0) / parameters.sum()
    return Topics.without_spectrum(
        parameters / parameters.sum(axis=1, keepdims=True), np.full(k, alpha0 / k), mean
    )


@one_thread
def variational(corpus: Corpus, problem: Problem, resources: Runtime = DEFAULT_RUNTIME) -> Topics:
    """Topics by online variational inference without privacy, in enough passes for ``VISITS`` documents."""
    n_topics, alpha0, seed = problem.n_topics, problem.alpha0, resources.seed
    checks.integer_between("n_topics", n_topics, 2, corpus.n_words)
    epochs = min(20, max(1, VISITS // corpus.n_documents))
    from sklearn import config_context  # here, as it takes a second to import
    from sklearn.decomposition import LatentDirichletAllocation

    model = LatentDirichletAllocation(
        n_components=n_topics,
        doc_topic_prior=alpha0 / n_topics,
        topic_word_prior=TOPIC_PRIOR,
        learning_offset=OFFSET,
        learning_decay=DECAY,
        batch_size=BATCH,
        total_samples=corpus.n_documents,
        mean_change_tol=TOLERANCE,
        random_state=seed
        if seed <= LARGEST_SEED
        else int(np.random.SeedSequence(seed).generate_state(1)[0]),
    )
    rng = np.random.default_rng(seed)
    starts = range(0, corpus.n_documents, BATCH)
    for epoch in range(epochs):
        order = rng.permutation(corpus.n_documents)
        for start in starts:
            resources.report(
                (epoch + start / corpus.n_documents) / epochs, f"pass {epoch + 1} of {epochs}"
            )
            batch = corpus.counts[order[start : start + BATCH]].astype(np.float64)
            with config_context(
                skip_parameter_validation=True
            ):  # it refuses priors above 1, which it can use
                model.partial_fit(batch)
    return topics_of(model.components_, alpha0)
