"""``RefinedLDA``: the scikit-learn face of ``refine``."""

from typing import Self

from dplda.corpus.corpus import Corpus
from dplda.corpus.counts import AnyCounts
from dplda.methods.estimators.spectral_lda import FittedTopics
from dplda.methods.full_batch_vi.recipe import Recipe
from dplda.methods.full_batch_vi.refine import refine
from dplda.methods.full_batch_vi.result import Refined
from dplda.methods.problem import Budget, Problem
from dplda.methods.resources import Resources


class RefinedLDA(FittedTopics):
    """Latent Dirichlet allocation by refinement: the private topics to choose on real text.

    Args:
        n_topics: ``k``, at least 2 and at most the number of words.
        alpha0: ``α0`` > 0, sum of the Dirichlet prior's parameters; small values mean documents of few topics.
        epsilon: ε > 0 of the whole fit, replacing one document.
        delta: δ in (0, 0.5) of the whole fit.
        recipe: the other public choices; the defaults where None.
        random_state: seed of the topics to start from and, unless the corpus is sensitive, of simulated noise; None
            draws one. On a sensitive corpus every fit draws noise from a new secret, whatever the seed.

    Attributes:
        components_: shape (k, d), topics, rows on the simplex.
        alpha_: shape (k,), the prior's parameters: equal, unless a spectral start told topics' shares.
        mean_words_: shape (d,), the private word distribution.
        releases_: the noisy values drawn, in order.
        guarantee_: what holds, and on which assumptions.
        fit_: the whole ``Refined``, with ``uncertainty``: intervals, and each topic's distance from the unigram.
        n_features_in_: ``d``.
        feature_names_in_: shape (d,), only after a fit to a table whose columns have names.

    Example:
        >>> import dplda
        >>> corpus = dplda.simulate(n_documents=2000, n_words=30, n_topics=2, alpha0=0.5, mean_length=30, seed=0)
        >>> model = dplda.RefinedLDA(2, alpha0=0.5, epsilon=3.0).fit(corpus)
        >>> print(model.guarantee_.in_words())
        Mechanism proven: (ε = 3, δ = 1e-7)-differentially private when one document is replaced. This draw is
        simulated, for looking.
        >>> model.components_.shape
        (2, 30)
    """

    def __init__(
        self,
        n_topics: int = 10,
        *,
        alpha0: float = 1.0,
        epsilon: float = 1.0,
        delta: float = 1e-7,
        recipe: Recipe | None = None,
        random_state: int | None = 0,
    ) -> None:
        self.n_topics = n_topics
        self.alpha0 = alpha0
        self.epsilon = epsilon
        self.delta = delta
        self.recipe = recipe
        self.random_state = random_state

    def fit(self, X: Corpus | AnyCounts, y: None = None) -> Self:
        """Fits topics to a corpus, or to an (N, d) matrix of counts.

        A matrix is taken as public and its words as fixed beforehand; pass a ``Corpus`` to say otherwise.

        Raises:
            DpldaError: bad counts or parameters, with the limit and what to do.
        """
        found = refine(
            self._corpus_to_fit(X),
            Problem(self.n_topics, self.alpha0),
            Budget(self.epsilon, self.delta),
            Resources(self._seed()),
            recipe=self.recipe,
        )
        self.fit_: Refined = found
        return self._with(found.topics, found.mean_words, found.alpha, found.releases, found.guarantee)
