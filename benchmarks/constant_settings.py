"""Documents on which constants of Refined are judged, and the error of a run on them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

import dplda
from dplda.corpus import Corpus, Label, Simulation
from dplda.evaluation import completion, halves, hold_out
from dplda.methods.base.method import FitResult
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.algorithm import fit_refined
from dplda.methods.refined.plan import constants as table
from dplda.methods.refined.plan.constants import RefinedConstants
from dplda.methods.refined.prior.prior_files import load_english_prior
from dplda.methods.refined.refined_methods import without_noise
from dplda.privacy.accounting import gaussian
from dplda.spectral.topics import match

DELTA = 1e-7
N_WORDS = 300  # of real text
N_TOPICS = 10  # of real text
MAX_DOCUMENTS = 4000  # of real text
SIMULATION = Simulation(
    n_documents=10_000, n_words=200, n_topics=5, alpha0=1.0, mean_length=60, seed=0
)
SIMULATED_EPSILONS = (1.0,)
TEXT_EPSILONS = (3.0,)
PRIOR_EPSILONS = (1.0,)
CHAIN_EPSILONS = (0.9, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """Documents, and how a run on them is judged.

    Attributes:
        name: as the table calls it.
        fit: a run with these constants and this seed.
        error: error of a run's topics, smaller is better.
    """

    name: str
    fit: Callable[[RefinedConstants, int], FitResult]
    error: Callable[[FitResult], float]


def read_text(name: str, path: str) -> tuple[str, Corpus, Callable[[FitResult], float]]:
    """A corpus without a tenth of its documents, and the perplexity of these."""
    corpus = dplda.load(path, label=Label.PUBLIC, n_words=N_WORDS)
    parts = hold_out(corpus, fraction=0.1, seed=0)
    cut = halves(parts.test, seed=0)

    def perplexity(result: FitResult) -> float:
        topics = result.topics
        return completion(topics.words, topics.alpha, cut=cut, mean_words=topics.mean_words)

    n_documents = min(MAX_DOCUMENTS, parts.train.n_documents)
    rows = np.random.default_rng(0).permutation(parts.train.n_documents)[:n_documents]
    return name, replace(parts.train, counts=parts.train.counts[np.sort(rows)]), perplexity


def simulated_settings() -> Iterator[Setting]:
    """Simulated documents, whose error is the mean L1 distance to their true topics."""
    corpus = SIMULATION.draw()
    assert corpus.truth is not None
    truth = corpus.truth.topics

    def distance(result: FitResult) -> float:
        matched = truth[match(result.topics.words, truth)]
        return float(np.mean(np.sum(np.abs(result.topics.words - matched), axis=1)))

    problem = Problem(SIMULATION.n_topics, SIMULATION.alpha0)
    for epsilon in SIMULATED_EPSILONS:
        yield _setting("simulated", corpus, problem, epsilon, distance)


def text_settings(
    name: str, corpus: Corpus, perplexity: Callable[[FitResult], float]
) -> Iterator[Setting]:
    """Real text without a prior; arguments as ``read_text`` returns them, like those below."""
    for epsilon in TEXT_EPSILONS:
        yield _setting(name, corpus, Problem(N_TOPICS, 1.0), epsilon, perplexity)


def prior_settings(
    name: str, corpus: Corpus, perplexity: Callable[[FitResult], float]
) -> Iterator[Setting]:
    """Real text with the table of English as a prior."""
    for epsilon in PRIOR_EPSILONS:
        yield _setting(
            f"{name}, English", corpus, Problem(N_TOPICS, 1.0), epsilon, perplexity, has_prior=True
        )


def _setting(
    name: str,
    corpus: Corpus,
    problem: Problem,
    epsilon: float,
    error: Callable[[FitResult], float],
    *,
    has_prior: bool = False,
) -> Setting:
    """Runs of Refined on a corpus at ε, with or without the table of English."""
    prior = load_english_prior(problem.n_topics) if has_prior else None

    def fit(constants: RefinedConstants, seed: int) -> FitResult:
        budget = Budget(epsilon, DELTA)
        return fit_refined(corpus, problem, budget, Runtime(seed), constants=constants, prior=prior)

    return Setting(f"{name}, ε = {epsilon:g}", fit, error)


def noiseless_setting(
    name: str, corpus: Corpus, perplexity: Callable[[FitResult], float]
) -> Setting:
    """Real text without noise."""

    def fit(constants: RefinedConstants, seed: int) -> FitResult:
        method = without_noise(table.N_NOISELESS_PASSES)
        return method.fit(corpus, Problem(N_TOPICS, 1.0), Budget(), Runtime(seed))

    return Setting(f"{name}, no noise", fit, perplexity)


def chain_setting(name: str, corpus: Corpus, perplexity: Callable[[FitResult], float]) -> Setting:
    """Real text, released at one ε and continued to a larger one."""
    problem = Problem(N_TOPICS, 1.0)
    first_epsilon, total_epsilon = CHAIN_EPSILONS
    first_budget = Budget(first_epsilon, DELTA)
    total_budget = Budget(total_epsilon, DELTA)

    def fit(constants: RefinedConstants, seed: int) -> FitResult:
        first_result = fit_refined(
            corpus, problem, first_budget, Runtime(seed), constants=constants
        )
        assert first_result.state is not None
        spent_mu = gaussian.mu_for(first_epsilon, DELTA)
        previous = PreviousRelease(first_result.state, spent_mu, first_result.evidence, f"{seed}")
        return fit_refined(
            corpus,
            problem,
            total_budget,
            Runtime(seed),
            constants=constants,
            previous=previous,
        )

    return Setting(f"{name}, ε = {first_epsilon:g} → {total_epsilon:g}", fit, perplexity)
