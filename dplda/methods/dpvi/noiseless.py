"""Variational inference without noise: scikit-learn's online learner."""

import numpy as np

from dplda.core import checks
from dplda.core.threads import one_thread
from dplda.core.types import Matrix
from dplda.corpus.corpus import Corpus
from dplda.methods.base.problem import Problem
from dplda.methods.base.runtime import DEFAULT_RUNTIME, Runtime
from dplda.spectral.topics import Topics

BATCH_SIZE = 256
OFFSET = 10.0  # τ0, slows the first steps
DECAY = 0.5  # κ
TOPIC_PRIOR = 0.1  # η
LARGEST_SEED = 2**32 - 1  # for scikit-learn; a larger one is hashed
TOLERANCE = 0.1
"""Mean change of γ in words; scikit-learn's 0.001 gives the same topics in thrice the time."""
N_VISITS = 200_000
"""Documents visited in all: every document at least once, and at most twenty times."""
MAX_EPOCHS = 20


def expected_topics(parameters: Matrix, alpha0: float) -> Topics:
    """Take the expected topics of Dirichlet rows, their weighted mean, and equal parts of α0.

    Args:
        parameters: ``λ``, shape (k, d), above 0.
        alpha0: sum of the parameters of the Dirichlet of topic shares.
    """
    k = len(parameters)
    return Topics.without_spectrum(
        parameters / parameters.sum(axis=1, keepdims=True),
        np.full(k, alpha0 / k),
        parameters.sum(axis=0) / parameters.sum(),
    )


@one_thread
def fit_noiseless_variational(
    corpus: Corpus, problem: Problem, runtime: Runtime = DEFAULT_RUNTIME
) -> Topics:
    """Find topics by online variational inference without privacy, by scikit-learn.

    Passes over shuffled minibatches; the fewer documents, the more passes.

    Args:
        corpus: documents in memory.
        problem: topics to find.
        runtime: seed and progress.

    Raises:
        InputError: there are fewer than 2 topics, or more than words.
    """
    n_topics = problem.n_topics
    alpha0 = problem.alpha0
    seed = runtime.seed
    checks.integer_between("n_topics", n_topics, 2, corpus.n_words)
    n_epochs = min(MAX_EPOCHS, max(1, N_VISITS // corpus.n_documents))
    from sklearn import config_context  # here, as it takes a second to import
    from sklearn.decomposition import LatentDirichletAllocation

    sklearn_model = LatentDirichletAllocation(
        n_components=n_topics,
        doc_topic_prior=alpha0 / n_topics,
        topic_word_prior=TOPIC_PRIOR,
        learning_offset=OFFSET,
        learning_decay=DECAY,
        batch_size=BATCH_SIZE,
        total_samples=corpus.n_documents,
        mean_change_tol=TOLERANCE,
        random_state=_sklearn_seed(seed),
    )
    rng = np.random.default_rng(seed)
    for epoch in range(n_epochs):
        document_order = rng.permutation(corpus.n_documents)
        for first_position in range(0, corpus.n_documents, BATCH_SIZE):
            fraction_done = (epoch + first_position / corpus.n_documents) / n_epochs
            runtime.report(fraction_done, f"pass {epoch + 1} of {n_epochs}")
            batch_documents = document_order[first_position : first_position + BATCH_SIZE]
            batch_counts = corpus.counts[batch_documents].astype(np.float64)
            with config_context(skip_parameter_validation=True):  # it refuses usable priors above 1
                sklearn_model.partial_fit(batch_counts)
    return expected_topics(sklearn_model.components_, alpha0)


def _sklearn_seed(seed: int) -> int:
    """The seed itself, or one of 32 bits made from it where scikit-learn takes no larger one."""
    if seed <= LARGEST_SEED:
        return seed
    return int(np.random.SeedSequence(seed).generate_state(1)[0])
