r"""Differentially private variational inference: Park and others' Algorithm 1.

It runs as published and corrected.

In step t every document is taken with probability ν; the statistic of those taken,
:math:`\bar s = \frac1S \sum_n s_n` with the public :math:`S = νN`, gets Gaussian noise, negative
entries become 0, and :math:`λ ← (1-ρ_t)λ + ρ_t(η + N\tilde s)`, :math:`ρ_t = (τ_0+t)^{-κ}`. Only
:math:`\tilde s` sees documents.

Cutting every noisy step at 0 makes a bias that averaging cannot remove: each entry gains about 0.4
of its standard deviation. The corrected calibration averages first and cuts then, also
post-processing. Once, at the end, it filters the known noise from every cell of the average, toward
the word frequencies; at every step that could tie a run to its first minibatches.

Unlike in the paper, words come first: some minibatches, more of them the more noise there is, count
words alone, in d noisy sums instead of k·d: the same mechanism, for one topic.
"""

import math

import numpy as np

from dplda.core import checks
from dplda.core.threads import one_thread
from dplda.core.types import Counts
from dplda.corpus.on_disk import AnyCorpus
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.guarantees import state_guarantee
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import DEFAULT_RUNTIME, Runtime
from dplda.methods.dpvi.accounting import SamplingSchedule
from dplda.methods.dpvi.minibatch_run import MinibatchRun, choose_word_steps
from dplda.methods.dpvi.noiseless import expected_topics
from dplda.methods.dpvi.schedule_risk import risk_of_schedule
from dplda.methods.dpvi.settings import (
    VariationalSettings,
    clipping_scheme,
    default_settings,
)
from dplda.privacy.accounting import gaussian
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Status

MEMBERS = "who is in a minibatch"  # purpose of its own stream


@one_thread
def run_variational(
    documents: AnyCorpus,
    problem: Problem,
    budget: Budget,
    runtime: Runtime = DEFAULT_RUNTIME,
    *,
    calibration: Calibration = Calibration.CORRECTED,
    settings: VariationalSettings | None = None,
) -> FitResult:
    """Find topics by private variational inference.

    Args:
        documents: in memory, or read into it.
        problem: topics to find.
        budget: ε and δ of the whole run.
        runtime: seed, noise and progress.
        calibration: ``CORRECTED`` bounds every document's statistic, ``PUBLISHED`` the batch's, or
            every document's if the settings read the paper so.
        settings: public choices of the run; None for those of the calibration.

    Returns:
        Topics; their mean words are their mean, so private where they are. The guarantee is stated
        of the noise that was drawn.

    Raises:
        InputError: k is out of range, a setting does not fit the calibration, or the accountant
            finds no noise that is large enough.

    Guarantee:
        Corrected: a document's statistic is a function of the document and of earlier releases,
            entrywise non-negative and of norm at most C, so a step is a sum of such terms over a
            random minibatch, divided by the public S, with noise of standard deviation σC/S;
            ``accounting.epsilon_of_schedule`` is at most ε. Steps that count words are covered too,
            with their own bound in place of C; their number follows from public numbers.
        Published: nothing is proven. The scaled statistic of a batch lies in a ball of radius
            ``a·N_max/S``, whose points are at most twice that apart, non-negative ones √2 times,
            which one document nearly attains; the paper says once. Its change also depends on the
            rest of the batch. Where every document is scaled down instead, a step is a sum of terms
            of norm at most ``a·N_max``, and the paper's accountant covers one document more or
            less; not one replaced, so nothing is called proven.
    """
    corpus = documents.in_memory()
    settings = settings or default_settings(calibration)
    checks.integer_between("n_topics", problem.n_topics, 2, corpus.n_words)
    scheme = clipping_scheme(calibration, settings)
    runtime.report(0.0, "calibrating noise")
    schedule = settings.schedule(budget.epsilon, budget.delta, adjacency=scheme.adjacency)
    has_no_noise = isinstance(runtime.noise, NoNoise)
    n_word_steps = choose_word_steps(
        settings,
        scheme,
        n_documents=corpus.n_documents,
        n_words=corpus.n_words,
        mu=math.inf if has_no_noise else gaussian.mu_for(budget.epsilon, budget.delta),
    )
    key_numbers = (problem.n_topics, problem.alpha0, budget.epsilon, budget.delta)
    noise_key = runtime.make_noise_key(
        corpus,
        method=("dp-vi", str(calibration)),
        choices=(*map(repr, key_numbers), *settings.key_choices),
    )
    mechanisms = runtime.open_mechanisms(noise_key)
    minibatch_run = MinibatchRun(
        _sort_by_size(corpus.counts),
        n_topics=problem.n_topics,
        alpha0=problem.alpha0,
        settings=settings,
        schedule=schedule,
        scheme=scheme,
        mechanisms=mechanisms,
        members=noise_key.generator(MEMBERS),
        seed=runtime.seed,
    )
    for step_index in range(schedule.steps):
        runtime.report(
            step_index / schedule.steps, f"minibatch {step_index + 1} of {schedule.steps}"
        )
        if step_index < n_word_steps:
            minibatch_run.count_words()
        else:
            minibatch_run.learn_topics()
    _check_spending(mechanisms, schedule)
    guarantee = state_guarantee(
        corpus,
        mechanisms.releases,
        status=scheme.status,
        rests_on=scheme.rests_on,
        epsilon=budget.epsilon,
        delta=budget.delta,
        risk_of_fit=risk_of_schedule(schedule) if scheme.status is Status.PROVEN else None,
        adjacency=scheme.adjacency,
    )
    topics = expected_topics(minibatch_run.denoised_parameters, problem.alpha0)
    return FitResult(topics, mechanisms.releases, guarantee)


def _sort_by_size(counts: Counts) -> Counts:
    """Documents by their number of distinct words: the order that a seed's draws refer to."""
    return counts[np.argsort(np.diff(counts.indptr), kind="stable")]


def _check_spending(mechanisms: Mechanisms, schedule: SamplingSchedule) -> None:
    """Refuse a run that released more steps, or with less noise, than was accounted for.

    Raises:
        RuntimeError: it did.
    """
    if sum(release.steps for release in mechanisms.releases) > schedule.steps:
        raise RuntimeError("more was released than the schedule accounts for")
    for release in mechanisms.releases:
        if release.noise_multiplier < schedule.noise_multiplier * (1 - 1e-12):
            raise RuntimeError(
                f"{release.steps} steps with σ = {release.noise_multiplier:g} exceed the schedule"
            )
