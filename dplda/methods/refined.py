"""Refinement as methods: private, its first release alone, and un-noised passes."""

from dataclasses import replace

import numpy as np

import dplda.refined
from dplda import _check
from dplda.corpus import Corpus
from dplda.explore.looks import Look
from dplda.fitting.guarantees import claim
from dplda.fitting.pipeline import Curator
from dplda.methods import spectral
from dplda.methods.method import Found, Means, Method, Task
from dplda.privacy.noise import NoNoise
from dplda.privacy.release import Guarantee, Status
from dplda.refined import refine, unigram
from dplda.refined.flow import REFINED, UNIGRAM
from dplda.refined.planned import PlannedRelease, planned_releases, planned_words
from dplda.refined.recipe import RESTS_ON
from dplda.refined.unnoised import unnoised_refine
from dplda.spectral.topics import Topics

WITHOUT_NOISE = (1e6, 1e-7)  # (ε, δ) whose run is the noiseless twin of every run: what they tend to as ε grows
START_TAKES = 0.2  # of the time of un-noised passes


def refined() -> Method:
    """The one entry of refinement; without noise, it is what stands beside itself."""
    return Method(
        name="refined",
        title="Refined",
        long_title="Refined · noise on every step",
        summary=(
            "Word counts get noise first; then, where noise leaves room for them, moments; then every step of"
            " variational inference over all documents. Known noise is shrunk away."
        ),
        status=Status.PROVEN,
        look=Look.at(11, "R"),
        fit=_fit,
        promise=_promise,
        beside="refined",
        releasable=True,
        holds_pairs=True,
        clips_by_epsilon=False,
        flow=REFINED,
        planned=_planned,
        told_by=(refine, dplda.refined),
    )


def private_unigram() -> Method:
    """The whole budget spent on word counts: what topics have to beat."""
    return Method(
        name="private-unigram",
        title="Private unigram",
        summary="Clipped word counts get noise, and every topic is the word distribution that they say.",
        status=Status.PROVEN,
        look=Look.at(10, "P"),
        fit=_fit_unigram,
        promise=_promise,
        beside="private-unigram",
        releasable=True,
        flow=UNIGRAM,
        planned=_planned_words,
        told_by=(unigram, unigram.private_unigram),
        clips_by_epsilon=False,
    )


def _fit_unigram(corpus: Corpus, task: Task, means: Means) -> Found:
    task.check()
    _check.integer_between("n_topics", task.n_topics, 1, corpus.n_words)
    found = unigram.private_unigram(
        corpus, epsilon=task.epsilon, delta=task.delta, seed=task.seed, secret=means.secret, noise=means.noise
    )
    k, words = task.n_topics, found.mean_words
    alpha, unknown = np.full(k, task.alpha0 / k), np.full(k, np.nan)
    topics = Topics(np.tile(words, (k, 1)), alpha, unknown, unknown, resolved=k, mean_words=words)
    return Found(topics, found.releases, found.guarantee, Curator())


def without_noise() -> Method:
    """The spectral method without noise, and un-noised passes from there: no twin of the above, which clips."""
    return replace(
        spectral.without_noise(),
        name="unnoised-refined",
        title="Refined, no noise",
        look=Look.at(12, "r"),
        fit=_fit_unnoised,
    )


def _fit_unnoised(corpus: Corpus, task: Task, means: Means) -> Found:
    def starting(fraction: float, step: str) -> None:
        means.report(START_TAKES * fraction, step)

    def passing(fraction: float, step: str) -> None:
        means.report(START_TAKES + (1 - START_TAKES) * fraction, step)

    found = spectral.without_noise().fit(corpus, task, replace(means, report=starting))
    topics = unnoised_refine(corpus, found.topics, alpha0=task.alpha0, seed=task.seed, report=passing)
    return replace(found, topics=topics)


def _fit(corpus: Corpus, task: Task, means: Means) -> Found:
    noiseless = isinstance(means.noise, NoNoise)
    epsilon, delta = WITHOUT_NOISE if noiseless else (task.epsilon, task.delta)
    run = refine.run_refine(
        corpus,
        n_topics=task.n_topics,
        alpha0=task.alpha0,
        epsilon=epsilon,
        delta=delta,
        seed=task.seed,
        secret=means.secret,
        noise=means.noise,
        report=means.report,
        sums=means.sums,
    )
    found, k = run.refined, task.n_topics
    unknown = np.full(k, np.nan)
    topics = Topics(found.topics, found.alpha, unknown, unknown, resolved=k, mean_words=found.mean_words)
    curator = Curator(clipped=float(np.mean(run.curator.clipped)))
    return Found(topics, found.releases, found.guarantee, curator, found.uncertainty)


def _promise(corpus: Corpus, task: Task) -> Guarantee:
    return claim(
        corpus,
        (),
        status=Status.PROVEN,
        rests_on=RESTS_ON,
        epsilon=task.epsilon,
        delta=task.delta,
        gaussian_fit=True,
    )


def _planned(task: Task, n_documents: int, n_words: int) -> tuple[PlannedRelease, ...]:
    return planned_releases(
        n_documents=n_documents, n_words=n_words, n_topics=task.n_topics, epsilon=task.epsilon, delta=task.delta
    )


def _planned_words(task: Task, n_documents: int, n_words: int) -> tuple[PlannedRelease, ...]:
    return planned_words(n_documents=n_documents, n_words=n_words, epsilon=task.epsilon, delta=task.delta)
