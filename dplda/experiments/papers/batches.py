"""Park et al.'s Figure 1: one epoch of DP variational inference for several σ and sizes of the minibatch."""

from dataclasses import dataclass

import pandas as pd

from dplda.core.types import Report, silent
from dplda.corpus import Corpus, Simulation
from dplda.evaluation import Halves, completion, halves, hold_out
from dplda.methods.configurations import Calibration
from dplda.methods.problem import Budget, Problem
from dplda.methods.resources import Resources
from dplda.methods.variational.accounting import Accountant, Schedule, epsilon_of
from dplda.methods.variational.private_variational import private_variational
from dplda.methods.variational.settings import VariationalSettings
from dplda.methods.variational.variational import variational
from dplda.privacy.adjacency import Adjacency

SIGMAS = (1.0, 1.1, 1.24, 1.5, 2.0)
RATES = (0.0125, 0.025, 0.05)  # minibatches of 5,000, 10,000 and 20,000 of 400,000 documents
REPORTED = (1.24, 0.05)  # σ and ν
EVER_TIGHTER = (Accountant.CAPPED, Accountant.CLASSIC, Accountant.RDP, Accountant.PLD)
DOCUMENTS = Simulation(
    n_documents=100_000, n_words=500, n_topics=10, alpha0=1.0, mean_length=50, topic_concentration=0.05
)


@dataclass(frozen=True, slots=True)
class Batches:
    """What to run.

    Attributes:
        delta: δ.
        sigmas: noise multipliers.
        rates: sampling rates ν; one epoch has ``1/ν`` steps.
        seed: of noise and minibatches.
    """

    documents: Simulation = DOCUMENTS
    delta: float = 1e-4
    sigmas: tuple[float, ...] = SIGMAS
    rates: tuple[float, ...] = RATES
    seed: int = 0
    held_out: float = 0.05


def schedule(sigma: float, rate: float) -> Schedule:
    """One epoch."""
    return Schedule(sigma, rate, max(1, round(1 / rate)))


def epsilon_at(sigma: float, rate: float, *, delta: float) -> float:
    """ε of one epoch when a document is replaced, exactly; what asks our code for this σ."""
    return epsilon_of(schedule(sigma, rate), delta=delta, accountant=Accountant.PLD, adjacency=Adjacency.REPLACE_ONE)


def same_noise(study: Batches) -> dict[Accountant, float]:
    """ε of the run that the paper reports, σ = 1.24 and ν = 0.05, from its own accounting to an exact one."""
    sigma, rate = REPORTED
    return {accountant: _published(sigma, rate, study.delta, accountant) for accountant in EVER_TIGHTER}


def batches(study: Batches, *, report: Report = silent) -> pd.DataFrame:
    """One row for each calibration, σ and sampling rate, and one without noise.

    Returns:
        Columns ``calibration`` (empty without noise), ``sigma``, ``rate``, ``size`` (mean minibatch), ``perplexity``,
        and ``epsilon`` under the paper's accountant, ``strong`` composition and ``exact`` accounting, all when a
        document is added or removed as in the paper, with ``replaced`` for a replaced one.
    """
    parts = hold_out(study.documents.draw(), fraction=study.held_out, seed=study.seed)
    cut = halves(parts.test, seed=study.seed)
    cells = [
        (way, s, r) for way in (Calibration.CORRECTED, Calibration.PUBLISHED) for r in study.rates for s in study.sigmas
    ]
    rows: list[dict[str, float | str]] = []
    for i, (calibration, sigma, rate) in enumerate(cells):
        report(i / (len(cells) + 1), f"{calibration}, σ = {sigma:g}, ν = {rate:g}")
        replaced = epsilon_at(sigma, rate, delta=study.delta)
        rows.append(
            {
                "calibration": str(calibration),
                "sigma": sigma,
                "rate": rate,
                "size": rate * parts.train.n_documents,
                "perplexity": _private(study, parts.train, cut, calibration, rate, replaced),
                "epsilon": _published(sigma, rate, study.delta, Accountant.CAPPED),
                "strong": _published(sigma, rate, study.delta, Accountant.STRONG),
                "exact": _published(sigma, rate, study.delta, Accountant.PLD),
                "replaced": replaced,
            }
        )
    report(len(cells) / (len(cells) + 1), "without noise")
    model = study.documents
    exact = variational(parts.train, n_topics=model.n_topics, alpha0=model.alpha0, seed=study.seed)
    score = completion(exact.topics, exact.alpha, cut=cut, mean_words=exact.mean_words).perplexity
    return pd.concat([pd.DataFrame(rows), pd.DataFrame([{"calibration": "", "perplexity": score}])], ignore_index=True)


def _private(
    study: Batches, train: Corpus, cut: Halves, calibration: Calibration, rate: float, epsilon: float
) -> float:
    found = private_variational(
        train,
        Problem(study.documents.n_topics, study.documents.alpha0),
        Budget(epsilon, study.delta),
        Resources(study.seed),
        calibration=calibration,
        settings=VariationalSettings(sampling_rate=rate, epochs=1.0, word_steps=0),
    )
    return completion(found.topics, found.alpha, cut=cut, mean_words=found.mean_words).perplexity


def _published(sigma: float, rate: float, delta: float, accountant: Accountant) -> float:
    return epsilon_of(schedule(sigma, rate), delta=delta, accountant=accountant, adjacency=Adjacency.ADD_OR_REMOVE_ONE)
