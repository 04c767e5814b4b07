"""``DPVariationalLDA``: the scikit-learn face of ``private_variational``."""

from typing import Self

from dplda.corpus.corpus import Corpus
from dplda.corpus.counts import AnyCounts
from dplda.methods.configurations.variant import Calibration
from dplda.methods.estimators.spectral_lda import FittedTopics
from dplda.methods.problem import Budget, Problem
from dplda.methods.resources import Resources
from dplda.methods.variational.fit import VariationalFit
from dplda.methods.variational.private_variational import private_variational
from dplda.methods.variational.settings import VariationalSettings


class DPVariationalLDA(FittedTopics):
    """Latent Dirichlet allocation by differentially private variational inference.

    Args:
        n_topics: ``k``, at least 2 and at most the number of words.
        alpha0: ``α0`` > 0, sum of the symmetric Dirichlet prior; small values mean documents of few topics.
        epsilon: ε > 0 of the whole fit, replacing one document.
        delta: δ in (0, 0.5) of the whole fit.
        calibration: ``CORRECTED`` bounds every document's part and is proven; ``PUBLISHED`` is Park and others' own.
        settings: the other public choices; the defaults where None.
        random_state: seed of the first topics and, unless the corpus is sensitive, of minibatches and simulated noise;
            None draws one. On a sensitive corpus every fit draws both from a new secret, whatever the seed.

    Attributes:
        components_: shape (k, d), topics, rows on the simplex.
        alpha_: shape (k,), the prior's parameters.
        mean_words_: shape (d,), the mean of the topics by their share of words.
        releases_: the noisy values drawn; the minibatches of a fit are one release.
        guarantee_: what holds, and on which assumptions.
        fit_: the whole ``VariationalFit``, with the schedule.
        n_features_in_: ``d``.
        feature_names_in_: shape (d,), only after a fit to a table whose columns have names.

    Example:
        >>> import dplda
        >>> from dplda.methods.variational.accounting import Accountant
        >>> from dplda.methods.variational.settings import VariationalSettings
        >>> corpus = dplda.simulate(n_documents=300, n_words=20, n_topics=2, alpha0=0.5, mean_length=30, seed=0)
        >>> two_steps = VariationalSettings(sampling_rate=1.0, epochs=2.0, accountant=Accountant.CLASSIC)
        >>> model = dplda.DPVariationalLDA(2, alpha0=0.5, epsilon=3.0, settings=two_steps).fit(corpus)
        >>> print(model.guarantee_.in_words())
        Mechanism proven: (ε = 3, δ = 1e-7)-differentially private when one document is replaced. This draw is
        simulated, for looking.
        >>> model.components_.shape, model.releases_[0].steps
        ((2, 20), 2)
    """

    def __init__(
        self,
        n_topics: int = 10,
        *,
        alpha0: float = 1.0,
        epsilon: float = 1.0,
        delta: float = 1e-7,
        calibration: Calibration = Calibration.CORRECTED,
        settings: VariationalSettings | None = None,
        random_state: int | None = 0,
    ) -> None:
        self.n_topics = n_topics
        self.alpha0 = alpha0
        self.epsilon = epsilon
        self.delta = delta
        self.calibration = calibration
        self.settings = settings
        self.random_state = random_state

    def fit(self, X: Corpus | AnyCounts, y: None = None) -> Self:
        """Fits topics to a corpus, or to an (N, d) matrix of counts.

        A matrix is taken as public and its words as fixed beforehand; pass a ``Corpus`` to say otherwise.

        Raises:
            DpldaError: bad counts or parameters, with the limit and what to do.
        """
        found = private_variational(
            self._corpus_to_fit(X),
            Problem(self.n_topics, self.alpha0),
            Budget(self.epsilon, self.delta),
            Resources(self._seed()),
            calibration=self.calibration,
            settings=self.settings,
        )
        self.fit_: VariationalFit = found
        return self._with(found.topics, found.mean_words, found.alpha, found.releases, found.guarantee)
