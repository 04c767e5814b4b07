"""``SpectralLDA``: the scikit-learn face of ``pipeline.fit``; and what any fitted topics can be asked."""

from typing import Self

import numpy as np
from sklearn import config_context
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.utils.validation import check_is_fitted

from dplda import _check
from dplda._types import Counts, Matrix, Vector
from dplda.corpus.corpus import Corpus, Label
from dplda.corpus.counts import canonical_counts
from dplda.errors import InputError
from dplda.evaluation.perplexity import DEFAULT_WEIGHT, completion_perplexity
from dplda.fitting.pipeline import Fit, fit
from dplda.plan import Plan
from dplda.privacy.release import Guarantee, Release


class FittedTopics(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """What can be asked of fitted topics, however they were found.

    Attributes:
        components_: shape (k, d), topics, rows on the simplex.
        mean_words_: shape (d,), the mean word distribution that goes with them.
        n_features_in_: ``d``.
    """

    n_topics: int
    alpha0: float
    components_: Matrix
    mean_words_: Vector
    n_features_in_: int

    def transform(self, X: Corpus | Counts | Matrix) -> Matrix:
        """Topic proportions of documents under the fitted topics, shape (N, k), rows on the simplex.

        Scikit-learn's variational E-step with the topics held fixed and a symmetric prior of sum ``α0``.
        """
        check_is_fitted(self)
        counts = self._counts_over_the_same_words(X)
        prior = self.alpha0 / self.n_topics
        inference = LatentDirichletAllocation(n_components=self.n_topics, doc_topic_prior=prior)
        inference.components_ = self.components_
        inference.exp_dirichlet_component_ = self.components_
        inference.doc_topic_prior_ = prior
        inference.n_features_in_ = self.n_features_in_
        with config_context(skip_parameter_validation=True):  # it refuses priors above 1, which it can use
            proportions: Matrix = inference.transform(counts.astype(np.float64))
        return proportions

    def perplexity(self, X: Corpus | Counts | Matrix, *, background: float = DEFAULT_WEIGHT) -> float:
        """Document-completion perplexity: topic shares from half of each document, scored on the other half.

        Args:
            X: held-out documents; those of fewer than 2 words are left out.
            background: weight in (0, 1) of the mean word distribution mixed into every topic, since projected topics
                contain zeros; see ``evaluation.completion``.

        Returns:
            ``exp`` of minus the mean log-probability of a scored token; d for a uniform model.

        Raises:
            InputError: no document has a second word to score, other columns than in fit, a weight out of range.
        """
        check_is_fitted(self)
        _check.between("background", background, 0, 1, open_ends=True)
        counts = self._counts_over_the_same_words(X)
        counts = counts[np.flatnonzero(counts.sum(axis=1) >= 2)]
        if counts.shape[0] == 0:
            raise InputError("X", "documents with words to score beside those seen", "none")
        prior = np.full(self.n_topics, self.alpha0 / self.n_topics)
        return completion_perplexity(
            self.components_, prior, test=counts, mean_words=self.mean_words_, weight=background, seed=0
        )

    def _counts_over_the_same_words(self, X: Corpus | Counts | Matrix) -> Counts:
        """Counts of any number of documents, one included, over the words of the fit."""
        counts = X.counts if isinstance(X, Corpus) else canonical_counts(X)
        if counts.shape[1] != self.n_features_in_:
            raise InputError("X", f"of {self.n_features_in_} columns, as in fit", f"{counts.shape[1]} columns")
        return counts


class SpectralLDA(FittedTopics):
    """Latent Dirichlet allocation by the method of moments, with or without differential privacy.

    Args:
        n_topics: ``k``, at least 2 and at most the number of words.
        alpha0: ``α0`` > 0, sum of the Dirichlet's parameters; small values mean documents of few topics.
        plan: where noise enters; None for none.
        random_state: seed of the decomposition's starts and, unless the corpus is sensitive, of the simulated noise;
            None draws one. On a sensitive corpus every fit draws its noise from a new secret, whatever the seed.

    Attributes:
        components_: shape (k, d), topics, rows on the simplex.
        alpha_: shape (k,), Dirichlet parameters.
        mean_words_: shape (d,), the mean word distribution.
        releases_: every noisy value drawn, in order.
        guarantee_: what holds, and on which assumptions.
        fit_: the whole ``Fit``, with the spectrum; nothing in it is exact that the guarantee covers.
        n_features_in_: ``d``.
    """

    def __init__(
        self,
        n_topics: int = 10,
        *,
        alpha0: float = 1.0,
        plan: Plan | None = None,
        random_state: int | None = 0,
    ) -> None:
        self.n_topics = n_topics
        self.alpha0 = alpha0
        self.plan = plan
        self.random_state = random_state

    def fit(self, X: Corpus | Counts | Matrix, y: None = None) -> Self:
        """Fits topics to a corpus, or to an (N, d) matrix of counts.

        A matrix is taken as public and its words as fixed beforehand; pass a ``Corpus`` to say otherwise.

        Raises:
            DpldaError: bad counts or parameters, with the limit and what to do.
        """
        seed = self.random_state
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        found = fit(_as_corpus(X), self.plan, n_topics=self.n_topics, alpha0=self.alpha0, seed=seed)
        self.fit_: Fit = found
        self.components_ = found.topics.words
        self.mean_words_ = found.topics.mean_words
        self.alpha_: Vector = found.topics.alpha
        self.releases_: tuple[Release, ...] = found.releases
        self.guarantee_: Guarantee = found.guarantee
        self.n_features_in_ = found.shape.n_words
        return self


def _as_corpus(X: Corpus | Counts | Matrix) -> Corpus:
    return X if isinstance(X, Corpus) else Corpus.from_counts(X, label=Label.PUBLIC, name="matrix")
