"""Park and others' Figure 1: an epoch of DP variational inference by noise and minibatch size."""

import math
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd

from dplda.core.types import Report
from dplda.corpus import Corpus, Simulation
from dplda.corpus.counts import canonical_counts
from dplda.evaluation import Halves, completion, halves, hold_out
from dplda.evaluation.perplexity_bound import bound_perplexity
from dplda.experiments.papers.study import fit_by_name, number_range
from dplda.methods.base.calibration import Calibration, PublishedReading, Scaling
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.dpvi.accounting import Accountant, SamplingSchedule, epsilon_of_schedule
from dplda.methods.dpvi.private_variational import run_variational
from dplda.methods.dpvi.settings import (
    VariationalSettings,
    clipping_scheme,
    default_settings,
)
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.privacy.adjacency import Adjacency
from dplda.spectral.topics import Topics

SCALINGS: tuple[Scaling, ...] = (
    Calibration.CORRECTED,
    Calibration.PUBLISHED,
    PublishedReading.BY_DOCUMENT,
)
"""What is scaled down: each document (proven), the mean of a minibatch, and each document as the
paper's words have it."""
LARGEST_STEP = 500.0  # ε of one step above which strong composition gives no number
N_DIVISIONS = 24  # of δ that strong composition tries


@dataclass(frozen=True, slots=True)
class Minibatches:
    """Perplexity after one epoch, by noise and size of the minibatch.

    Attributes:
        n_documents: ``N``, of which some are held out.
        n_words: ``d``.
        n_topics: ``k``.
        mean_length: ``L``.
        alpha0: ``α0``.
        topic_concentration: parameter of the Dirichlet law of topics.
        delta: δ.
        noise_multipliers: values of σ.
        sampling_rates: values of ν; one epoch has ``1/ν`` steps.
        seed: of noise and minibatches.
        held_out: share of the documents kept for perplexity.
        n_draws: runs of every clipping, σ and sampling rate, each with its own noise.
    """

    n_documents: int = 100_000
    n_words: int = 500
    n_topics: int = 10
    mean_length: int = 50
    alpha0: float = 1.0
    topic_concentration: float = 0.05
    delta: float = 1e-4
    noise_multipliers: tuple[float, ...] = (1.0, 1.1, 1.24, 1.5, 2.0)
    sampling_rates: tuple[float, ...] = (0.0125, 0.025, 0.05)
    seed: int = 0
    held_out: float = 0.05
    n_draws: int = 2

    def describe(self) -> tuple[str, ...]:
        """Facts about the run, one short text each: N, d, L, k, α₀, σ, δ and draws."""
        return (
            "simulated documents",
            f"N {self.n_documents:,}",
            f"d {self.n_words}",
            f"L {self.mean_length}",
            f"k {self.n_topics}",
            f"α₀ {self.alpha0:g}",
            f"σ {number_range(self.noise_multipliers)}",
            f"δ {format_rounded_up(self.delta)}",
            f"{self.n_draws} draws",
        )

    def run(self, report: Report) -> pd.DataFrame:
        """Compute a row for each clipping, σ, sampling rate and draw, and one without noise.

        The row without noise has no number but ``perplexity`` and ``bound``; the others are NaN.

        Returns:
            Columns ``calibration`` (empty without noise), ``sigma``, ``rate``, ``repeat``, ``size``
            (mean minibatch), ``perplexity`` of one half of each held-out document given the other,
            the paper's ``bound`` on the perplexity of whole ones, and ε of the run: ``epsilon``
            under the paper's accountant, under ``strong`` composition and ``exact``, all when a
            document is added or removed as in the paper, and ``replaced``, exact for a replaced
            one.
        """
        corpus = Simulation(
            n_documents=self.n_documents,
            n_words=self.n_words,
            n_topics=self.n_topics,
            alpha0=self.alpha0,
            mean_length=self.mean_length,
            topic_concentration=self.topic_concentration,
        ).draw()
        divided_documents = hold_out(corpus, fraction=self.held_out, seed=self.seed)
        halved_documents = halves(divided_documents.test, seed=self.seed)
        problem = Problem(self.n_topics, self.alpha0)
        schedules = [
            one_epoch(sigma, rate)
            for rate in self.sampling_rates
            for sigma in self.noise_multipliers
        ]
        private_runs = list(product(SCALINGS, range(self.n_draws), schedules))
        n_runs = len(private_runs) + 1
        rows: list[dict[str, float | str]] = []
        for run_index, (scaling, draw_number, schedule) in enumerate(private_runs):
            sigma_text = f"σ = {schedule.noise_multiplier:g}"
            report(run_index / n_runs, f"{scaling}, {sigma_text}, {schedule.steps} steps")
            fit_result = fit_one_epoch(
                divided_documents.train,
                problem,
                schedule,
                delta=self.delta,
                seed=self.seed + draw_number,
                scaling=scaling,
            )
            rows.append(
                {
                    "calibration": str(scaling),
                    "sigma": schedule.noise_multiplier,
                    "rate": schedule.sampling_rate,
                    "repeat": draw_number,
                    "size": schedule.sampling_rate * divided_documents.train.n_documents,
                    **_perplexities(fit_result.topics, halved_documents),
                    **epsilons_of(schedule, self.delta),
                }
            )
        report(len(private_runs) / n_runs, "without noise")
        noiseless_fit = fit_by_name("vi", divided_documents.train, problem, seed=self.seed)
        rows.append({"calibration": "", **_perplexities(noiseless_fit.topics, halved_documents)})
        return pd.DataFrame(rows)


def one_epoch(noise_multiplier: float, sampling_rate: float) -> SamplingSchedule:
    """The schedule of one epoch: ``1 / ν`` steps, rounded, and at least one.

    Args:
        noise_multiplier: σ.
        sampling_rate: ν, chance of each document to be in a minibatch.
    """
    return SamplingSchedule(noise_multiplier, sampling_rate, max(1, round(1 / sampling_rate)))


def fit_one_epoch(
    corpus: Corpus,
    problem: Problem,
    schedule: SamplingSchedule,
    *,
    delta: float,
    seed: int,
    scaling: Scaling,
) -> FitResult:
    """Find topics by one epoch of private variational inference, without steps for words alone.

    Works out the ε at which the method's own calibration gives the schedule's noise.

    Args:
        corpus: documents of the run.
        problem: topics to find.
        schedule: its noise and minibatches.
        delta: δ.
        seed: of noise and minibatches.
        scaling: calibration, or reading of the published clipping.

    Raises:
        InputError: there is no such calibration, or a number is out of its range.
    """
    is_corrected = scaling == Calibration.CORRECTED
    calibration = Calibration.CORRECTED if is_corrected else Calibration.PUBLISHED
    settings = VariationalSettings(
        sampling_rate=schedule.sampling_rate,
        epochs=1.0,
        word_steps=0,
        clipping=default_settings(scaling).clipping,
    )
    adjacency = clipping_scheme(calibration, settings).adjacency
    epsilon = epsilon_of_schedule(schedule, delta=delta, adjacency=adjacency)  # asks for this σ
    return run_variational(
        corpus,
        problem,
        Budget(epsilon, delta),
        Runtime(seed),
        calibration=calibration,
        settings=settings,
    )


def epsilons_of(schedule: SamplingSchedule, delta: float) -> dict[str, float]:
    """Values of ε of one schedule by accounting: the names of the columns of ``Minibatches.run``.

    Args:
        schedule: noise and minibatches.
        delta: δ.

    Returns:
        ``epsilon`` of the paper's accountant, ``strong`` (may be infinite), ``exact``, and
        ``replaced``, exact too. The last is for a replaced document, the others for one that is
        added or removed.
    """

    def added_or_removed(accountant: Accountant) -> float:
        """ε by this accountant when one document is added or removed."""
        adjacency = Adjacency.ADD_OR_REMOVE_ONE
        return epsilon_of_schedule(
            schedule, delta=delta, accountant=accountant, adjacency=adjacency
        )

    return {
        "epsilon": added_or_removed(Accountant.CAPPED),
        "strong": strong_composition_epsilon(schedule, delta),
        "exact": added_or_removed(Accountant.PLD),
        "replaced": epsilon_of_schedule(schedule, delta=delta),
    }


def strong_composition_epsilon(schedule: SamplingSchedule, delta: float) -> float:
    r"""ε by strong composition of steps that sampling has amplified; infinite if a step's is large.

    A step alone is exactly (ε₀, δ₀)-DP as a Gaussian mechanism, hence (ε′, νδ₀)-DP with
    :math:`ε' = \log(1 + ν(e^{ε_0} - 1))`, and T steps are

    .. math:: \Big(Tε'(e^{ε'}-1) + \sqrt{2T\ln(1/δ'')}\,ε',\ δ'' + Tνδ_0\Big)\text{-DP}.

    Args:
        schedule: noise and minibatches.
        delta: δ, divided among the two parts in the best of 24 ways: the paper names none.

    Source:
        Dwork, Rothblum and Vadhan (2010); sampling: Balle, Barthe and Gaboardi (2018).
    """
    rate = schedule.sampling_rate
    epsilons = []
    for share in np.linspace(0, 1, N_DIVISIONS + 2)[1:-1]:
        delta_of_step = float(share) * delta / (schedule.steps * rate)
        epsilon_of_step = gaussian.epsilon_for(1 / schedule.noise_multiplier, delta_of_step)
        if epsilon_of_step > LARGEST_STEP:
            return math.inf
        amplified_epsilon = math.log1p(rate * math.expm1(epsilon_of_step))
        log_slack = math.log(1 / ((1 - float(share)) * delta))
        deviation_factor = math.sqrt(2 * schedule.steps * log_slack)
        epsilons.append(
            schedule.steps * amplified_epsilon * math.expm1(amplified_epsilon)
            + deviation_factor * amplified_epsilon
        )
    return min(epsilons) * (1 + 1e-12)


def _perplexities(topics: Topics, cut: Halves) -> dict[str, float]:
    """Completion of half a document, and the paper's bound, which is of whole documents."""
    score = completion(topics.words, topics.alpha, cut=cut, mean_words=topics.mean_words)
    whole_documents = canonical_counts(cut.observed + cut.scored)
    bound = bound_perplexity(topics.words, topics.alpha, whole_documents)
    return {"perplexity": score, "bound": bound}
