"""A fit as scikit-learn has it: what every estimator offers once its topics are found."""

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Self, TypeAlias

import numpy as np
from scipy.sparse import issparse
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from dplda.core import checks
from dplda.core.errors import CorpusError, InputError
from dplda.core.types import Counts, Matrix, Vector
from dplda.corpus.corpus import Corpus, Label
from dplda.corpus.counts import AnyCounts, canonical_counts
from dplda.evaluation.perplexity import DEFAULT_WEIGHT, completion_perplexity
from dplda.evaluation.relevance import choose_words
from dplda.methods.base.curator import Curator
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Problem
from dplda.methods.base.runtime import Runtime
from dplda.privacy.release import Guarantee, Release

RandomState: TypeAlias = int | np.random.RandomState | np.random.Generator | None
FitCorpus: TypeAlias = Callable[[Corpus, Problem, Runtime], FitResult]
"""A fit whose method and budget are settled."""


class FittedTopics(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Base class of the estimators: what every fit offers.

    Attributes:
        components_: shape (k, d), topics, rows on the simplex.
        mean_words_, alpha_: shapes (d,) and (k,), the mean word distribution and Dirichlet
            parameters.
        releases_: every noisy value drawn, in order; the minibatches of a fit count as one.
        fit_: everything that the method found; no exact values where the guarantee covers it.
    """

    n_topics: int
    alpha0: float
    random_state: RandomState
    fit_: FitResult
    components_: Matrix
    mean_words_: Vector
    alpha_: Vector
    releases_: tuple[Release, ...]
    guarantee_: Guarantee
    n_features_in_: int

    def fit(self, X: Corpus | AnyCounts, y: None = None) -> Self:
        """Fit topics to a corpus, or to an (N, d) matrix of counts, and return this estimator.

        A matrix is taken as public, with a fixed word list. The fitted attributes hold no exact
        values of a curator.

        Raises:
            CorpusError: a matrix has fewer than three rows or two columns, or no counts.
            DpldaError: a parameter is out of range, or no topics are found. An earlier fit
                stays whole then.
        """
        fit_corpus = self._checked_fit()
        corpus = X if isinstance(X, Corpus) else _public_corpus(X)
        runtime = Runtime(_seed_of(self.random_state))
        fit_result = fit_corpus(corpus, Problem(self.n_topics, self.alpha0), runtime)
        self._note_words(X, corpus.n_words)
        topics = fit_result.topics
        self.components_ = topics.words
        self.mean_words_ = topics.mean_words
        self.alpha_ = topics.alpha
        self.releases_ = fit_result.releases
        self.guarantee_ = fit_result.guarantee
        self.fit_ = replace(fit_result, curator=Curator())
        return self

    @abstractmethod
    def _checked_fit(self) -> FitCorpus:
        """The fit by these parameters, of a corpus, a problem and a runtime.

        Raises:
            InputError: a parameter is of the wrong type or out of range.
        """

    def transform(self, X: Corpus | AnyCounts) -> Matrix:
        """Topic proportions of documents, by scikit-learn's E-step with fixed topics.

        Its Dirichlet prior has α0/k for each topic. No noise is added: no ε covers the documents.

        Returns:
            Shape (N, k), rows on the simplex.

        Raises:
            CorpusError: ``X`` is over other words than the fit.
            NotFittedError: there is no fit yet.
        """
        # Here, as no fit needs it and its import takes a quarter of a second.
        from sklearn.decomposition import LatentDirichletAllocation

        check_is_fitted(self, "components_")
        counts = self._counts_over_the_same_words(X)
        alpha_per_topic = self.alpha0 / self.n_topics
        sklearn_model = LatentDirichletAllocation(
            n_components=self.n_topics, doc_topic_prior=alpha_per_topic
        )
        sklearn_model.components_ = self.components_
        sklearn_model.exp_dirichlet_component_ = self.components_
        sklearn_model.doc_topic_prior_ = alpha_per_topic
        sklearn_model.n_features_in_ = self.n_features_in_
        # Skips its refusal of priors above 1, which work, and keeps its result an array.
        with config_context(skip_parameter_validation=True, transform_output="default"):
            return np.asarray(sklearn_model.transform(counts.astype(np.float64)))

    def leading_words(self, n_words: int = 10) -> list[list[int]]:
        """Columns of the words that describe each topic, the best first, as pages show them.

        Words that lead several topics are left out.

        Args:
            n_words: most words of a topic, at least 1.

        Returns:
            One list for each topic that was found; shorter where fewer words describe it.

        Raises:
            InputError: ``n_words`` is no whole number of at least 1.
            NotFittedError: there is no fit yet.
        """
        check_is_fitted(self, "components_")
        checks.integer_at_least("n_words", n_words, 1)
        n_resolved = self.fit_.topics.resolved
        chosen_words = choose_words(
            self.components_[:n_resolved], self.mean_words_, self.fit_.evidence
        )
        return [chosen_words.of_topic(topic, n_words) for topic in range(n_resolved)]

    def perplexity(self, X: Corpus | AnyCounts, *, background: float = DEFAULT_WEIGHT) -> float:
        """Document-completion perplexity, d for a uniform model.

        Topics get ``background`` in (0, 1) of mean words. Documents are split in the same halves in
        every call. Those of fewer than two words are left out.

        Raises:
            InputError: ``background`` is out of range, or no document is left.
            CorpusError: ``X`` is over other words than the fit.
            NotFittedError: there is no fit yet.
        """
        check_is_fitted(self, "components_")
        checks.between("background", background, 0, 1, open_ends=True)
        counts = self._counts_over_the_same_words(X)
        counts = counts[np.flatnonzero(counts.sum(axis=1) >= 2)]
        if counts.shape[0] == 0:
            raise InputError("X", "documents with words to score beside those seen", "none")
        dirichlet_weights = np.full(self.n_topics, self.alpha0 / self.n_topics)
        return completion_perplexity(
            self.components_,
            dirichlet_weights,
            test=counts,
            mean_words=self.mean_words_,
            weight=float(background),
            seed=0,
        )

    def score(self, X: Corpus | AnyCounts, y: None = None) -> float:
        """Mean logarithm of the probability of a word in document completion, in nats.

        Larger is better. A search over parameters calls it, such as scikit-learn's
        ``GridSearchCV``. A choice made by it on protected documents says something of them that no
        ε covers: choose on public ones.

        Raises:
            InputError: no document has two words.
            CorpusError: ``X`` is over other words than the fit.
            NotFittedError: there is no fit yet.
        """
        return -math.log(self.perplexity(X))

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.positive_only = True
        return tags

    def _note_words(self, X: Corpus | AnyCounts, n_words: int) -> None:
        """Note on the estimator what later documents are compared with.

        Noted are the number of columns, a digest of the words, and the column names of a table.
        Names of an earlier fit's table are forgotten.
        """
        if isinstance(X, Corpus | np.ndarray) or issparse(X):
            self.n_features_in_ = n_words
            if hasattr(self, "feature_names_in_"):  # of a table that was fitted before
                del self.feature_names_in_
        else:  # takes as long as a small fit: it asks every installed package what a table is
            validate_data(self, X, skip_check_array=True)
        self._words = _digest(X)

    def _counts_over_the_same_words(self, X: Corpus | AnyCounts) -> Counts:
        """Return the counts of ``X``, if they are over the words of the fit.

        Words are compared with those of a fitted corpus, column names with those of a fitted table.

        Raises:
            CorpusError: it has another number of words than the fit, other words or column names,
                or the same ones in another order.
        """
        counts = X.counts if isinstance(X, Corpus) else canonical_counts(X)
        if counts.shape[1] != self.n_features_in_:
            size_message = (
                f"X has {counts.shape[1]} features, but {type(self).__name__} is expecting"
                f" {self.n_features_in_} features as input"
            )
            raise CorpusError(size_message, "Give the columns of the fit.")
        if isinstance(X, Corpus):
            if self._words not in ("", _digest(X)):
                raise CorpusError(
                    "X has other words than in fit, or in another order",
                    "Read it over the fit's words.",
                )
        else:
            try:
                validate_data(self, X, reset=False, skip_check_array=True)
            except ValueError:  # its message quotes the names
                raise CorpusError(
                    "X has columns of other names than in fit", "Give the columns of the fit."
                ) from None
        return counts


def _seed_of(random_state: RandomState) -> int:
    """Make a seed: a number is one, and None gives another each time.

    Generators are drawn from, as scikit-learn does, so that each fit has its own.
    """
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    return random_state


def _digest(X: Corpus | AnyCounts) -> str:
    """Digest of a corpus's words, which stay out of pickles where they come from the documents.

    Returns:
        SHA-256, hexadecimal; empty for a matrix.
    """
    return sha256("\n".join(X.vocabulary).encode()).hexdigest() if isinstance(X, Corpus) else ""


def _public_corpus(X: AnyCounts) -> Corpus:
    """Make a matrix a public corpus over numbered words.

    Raises:
        CorpusError: fewer than three rows or two columns, in scikit-learn's words.
    """
    counts = canonical_counts(X)
    for actual_size, minimum, counted_thing in zip(
        counts.shape, (3, 2), ("sample", "feature"), strict=True
    ):
        if actual_size < minimum:
            raise CorpusError(
                f"X has {actual_size} {counted_thing}(s) (shape={counts.shape})"
                f" while a minimum of {minimum} is required",
                "Give one row per document and one column per word.",
            )
    return Corpus.from_counts(counts, label=Label.PUBLIC, name="matrix")
