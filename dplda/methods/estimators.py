"""Scikit-learn estimators; each fit goes through its method's own ``fit``."""

from functools import partial

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.corpus.corpus import Corpus
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.methods.configurations.plan import Plan
from dplda.methods.dpvi.settings import VariationalSettings
from dplda.methods.dpvi.variational_methods import private_variational
from dplda.methods.fitted_topics import FitCorpus, FittedTopics, RandomState
from dplda.methods.refined import refined_methods
from dplda.methods.refined.plan.constants import RefinedConstants
from dplda.methods.refined.prior import prior_mixtures

MOST_PASSES = 10_000  # un-noised ones; all change little after some ten

LEAK = (
    "Un-noised passes read every document again, so nothing would stay private. Leave out the plan,"
    " or use RefinedLDA, which adds noise to every pass."
)


class SpectralLDA(FittedTopics):
    """Latent Dirichlet allocation by the method of moments, with or without differential privacy.

    Args:
        n_topics: ``k``, from 2 to the number of words.
        alpha0: ``α0`` > 0, sum of the Dirichlet's parameters; small values mean documents of few
            topics.
        refine: un-noised variational passes after the spectral fit, at least 0. They help on real
            text, not always on simulated documents. Refused with a plan: they read every document
            again, without protection.
        random_state: seed of the decomposition's starts and, unless the corpus is sensitive, of the
            simulated noise; a generator draws one for each fit, and None draws a fresh one. On a
            sensitive corpus every fit draws its noise from a new secret.

    Example:
        >>> import dplda
        >>> corpus = dplda.simulate(
        ...     n_documents=2000, n_words=30, n_topics=2, alpha0=0.5, mean_length=30, seed=0
        ... )
        >>> plan = dplda.Plan("adaptive", epsilon=3.0)
        >>> model = dplda.SpectralLDA(2, alpha0=0.5, plan=plan).fit(corpus)
        >>> print(model.guarantee_.in_words())
        Proven: (ε = 3, δ = 1e-7)-differentially private when one document is replaced. This draw is
        simulated, for exploring only.
        >>> model.transform(corpus.counts[:5]).shape
        (5, 2)
        >>> dplda.topic_error(corpus.truth.topics, model.components_).l1_mean < 0.2
        True
    """

    def __init__(
        self,
        n_topics: int = 10,
        *,
        alpha0: float = 1.0,
        plan: Plan | None = None,
        refine: int = 0,
        random_state: RandomState = 0,
    ) -> None:
        """Keep the parameters as they are: ``fit`` checks them."""
        self.n_topics = n_topics
        self.alpha0 = alpha0
        self.plan = plan
        self.refine = refine
        self.random_state = random_state

    def _checked_fit(self) -> FitCorpus:
        """Check ``refine`` and ``plan``, and choose the fit: with a plan's noise, or without noise.

        Without a plan it is refined if ``refine`` asks for passes, else spectral.
        Other parameters are not checked here.

        Raises:
            InputError: ``refine`` is out of range, ``plan`` is no plan, or a plan is to be refined.
        """
        checks.integer_between("refine", self.refine, 0, MOST_PASSES)
        _check_type("plan", self.plan, Plan)
        plan = self.plan
        if plan is not None and self.refine:
            raise InputError("refine", "0 with a plan", str(self.refine), LEAK)
        if self.refine:
            return _fit_with_budget(refined_methods.without_noise(self.refine), Budget())
        return lambda corpus, problem, runtime: fit_spectral(corpus, plan, problem, runtime)


class PrivateTopics(FittedTopics):
    """Base class of the estimators that take one ε and δ."""

    def __init__(
        self, n_topics: int, alpha0: float, epsilon: float, delta: float, random_state: RandomState
    ) -> None:
        """Keep the parameters as they are: ``fit`` checks them."""
        self.n_topics = n_topics
        self.alpha0 = alpha0
        self.epsilon = epsilon
        self.delta = delta
        self.random_state = random_state

    def _check_budget(self) -> None:
        checks.epsilon(self.epsilon)
        checks.delta(self.delta)


class RefinedLDA(PrivateTopics):
    """Latent Dirichlet allocation by refinement: the private method to choose for real text.

    Args:
        n_topics, alpha0, random_state: as in ``SpectralLDA``.
        epsilon, delta: ε > 0 and δ in (0, 0.5) of the whole fit, replacing one document.
        prior: public knowledge: ``"english"``; seed words, ``{"space": ["orbit", "nasa"]}``; a
            public ``Corpus``; the ``Path`` of a CSV table or of lines ``space: orbit, nasa``; a
            ``Prior``; None for none. The documents are asked, privately, whether it helps;
            ``fit_.prior`` says what became of it.
        trust_prior: whether it is used without asking them; then nothing is known of the topics'
            errors.

    Attributes:
        fit_: the ``FitResult``, with ``uncertainty``: intervals; and ``evidence``: the documents'
            gain over word frequencies, and each topic's part in it.

    Example:
        >>> import dplda
        >>> corpus = dplda.simulate(
        ...     n_documents=2000, n_words=30, n_topics=2, alpha0=0.5, mean_length=30, seed=0
        ... )
        >>> model = dplda.RefinedLDA(2, alpha0=0.5, epsilon=3.0).fit(corpus)
        >>> print(model.guarantee_.in_words())
        Proven: (ε = 3, δ = 1e-7)-differentially private when one document is replaced. This draw is
        simulated, for exploring only.
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
        recipe: RefinedConstants | None = None,
        prior: prior_mixtures.PriorLike | None = None,
        trust_prior: bool = False,
        random_state: RandomState = 0,
    ) -> None:
        """Keep the parameters as they are: ``fit`` checks them."""
        super().__init__(n_topics, alpha0, epsilon, delta, random_state)
        self.recipe = recipe
        self.prior = prior
        self.trust_prior = trust_prior

    def _checked_fit(self) -> FitCorpus:
        """Check the parameters, and choose refinement.

        The prior is made when it runs, so an unusable one is refused only then.

        Raises:
            InputError: ε, δ, the recipe or the flag is out of range or of another type.
        """
        self._check_budget()
        checks.flag("trust_prior", self.trust_prior)
        _check_type("recipe", self.recipe, RefinedConstants)
        prior = None if self.prior is None else partial(prior_mixtures.make_prior, self.prior)
        method = refined_methods.refined(self.recipe, prior, trusted=self.trust_prior)
        return _fit_with_budget(method, Budget(self.epsilon, self.delta))


class DPVariationalLDA(PrivateTopics):
    """Latent Dirichlet allocation by differentially private variational inference.

    Args:
        n_topics, alpha0, epsilon, delta: as in ``RefinedLDA``.
        calibration: ``"corrected"`` bounds every document's part and is proven; ``"as published"``
            is Park and others' own. A ``Calibration`` is its string.
        random_state: as in ``SpectralLDA``; it draws the minibatches too.

    Example:
        >>> import dplda
        >>> from dplda.methods.dpvi.accounting import Accountant
        >>> from dplda.methods.dpvi.settings import VariationalSettings
        >>> corpus = dplda.simulate(
        ...     n_documents=300, n_words=20, n_topics=2, alpha0=0.5, mean_length=30, seed=0
        ... )
        >>> two_steps = VariationalSettings(
        ...     sampling_rate=1.0, epochs=2.0, accountant=Accountant.CLASSIC
        ... )
        >>> model = dplda.DPVariationalLDA(2, alpha0=0.5, epsilon=3.0, settings=two_steps)
        >>> model = model.fit(corpus)
        >>> print(model.guarantee_.in_words())
        Proven: (ε = 3, δ = 1e-7)-differentially private when one document is replaced. This draw is
        simulated, for exploring only.
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
        calibration: str = "corrected",
        settings: VariationalSettings | None = None,
        random_state: RandomState = 0,
    ) -> None:
        """Keep the parameters as they are: ``fit`` checks them."""
        super().__init__(n_topics, alpha0, epsilon, delta, random_state)
        self.calibration = calibration
        self.settings = settings

    def _checked_fit(self) -> FitCorpus:
        """Check the parameters, and choose the fit by variational inference."""
        self._check_budget()
        _check_type("settings", self.settings, VariationalSettings)
        calibration = checks.one_of("calibration", self.calibration, Calibration)
        method = private_variational(calibration, self.settings)
        return _fit_with_budget(method, Budget(self.epsilon, self.delta))


def _fit_with_budget(method: Method, budget: Budget) -> FitCorpus:
    """The fit of a method at one budget."""

    def fit_corpus(corpus: Corpus, problem: Problem, runtime: Runtime) -> FitResult:
        return method.fit(corpus, problem, budget, runtime)

    return fit_corpus


def _check_type(name: str, value: object, kind: type) -> None:
    """Refuse a value that is neither None nor of this type, by InputError."""
    if value is not None and not isinstance(value, kind):
        raise InputError(
            name, f"a {kind.__name__}, or None", f"a value of type {type(value).__name__}"
        )
