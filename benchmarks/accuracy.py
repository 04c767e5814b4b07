"""Topic error of un-noised and private fits on simulated corpora: medians over five corpora."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

import dplda
from dplda.methods.base.problem import Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.spectral.corpus_statistics import StatisticsCache

N_DOCUMENTS, MEAN_LENGTH, DELTA, SEEDS = 100_000, 100, 1e-7, range(5)


@dataclass(frozen=True, slots=True)
class Setting:
    """A population to draw corpora from."""

    n_words: int
    n_topics: int
    alpha0: float
    epsilons: tuple[float, ...]


SETTINGS = (
    Setting(100, 3, 0.1, (0.5, 1.0, 2.0, 3.0)),
    Setting(100, 3, 1.0, (0.5, 1.0, 2.0, 3.0)),
    Setting(100, 3, 10.0, (0.5, 1.0, 2.0, 3.0)),
    Setting(1000, 10, 1.0, (0.3, 1.0, 3.0)),
)


def run() -> Iterator[dict[str, float | int | str | list[float] | None]]:
    """One row for each setting and ε: errors by corpus, their median, and how many topics were resolved."""
    for setting in SETTINGS:
        errors: dict[float | None, list[float]] = {}
        resolved: dict[float | None, list[int]] = {}
        for seed in SEEDS:
            corpus = dplda.simulate(
                n_documents=N_DOCUMENTS,
                n_words=setting.n_words,
                n_topics=setting.n_topics,
                alpha0=setting.alpha0,
                mean_length=MEAN_LENGTH,
                seed=seed,
            )
            assert corpus.truth is not None
            sums = StatisticsCache(corpus.counts)
            for epsilon in (None, *setting.epsilons):
                plan = None if epsilon is None else dplda.Plan("adaptive", epsilon, DELTA)
                found = fit_spectral(
                    corpus,
                    plan,
                    Problem(setting.n_topics, setting.alpha0),
                    Runtime(seed, statistics=sums),
                )
                error = dplda.topic_error(corpus.truth.topics, found.topics.words)
                errors.setdefault(epsilon, []).append(round(error.l1_mean, 5))
                resolved.setdefault(epsilon, []).append(found.topics.resolved)
        for epsilon in errors:
            yield {
                "d": setting.n_words,
                "k": setting.n_topics,
                "alpha0": setting.alpha0,
                "N": N_DOCUMENTS,
                "L": MEAN_LENGTH,
                "delta": DELTA,
                "epsilon": epsilon,
                "configuration": "un-noised" if epsilon is None else "adaptive",
                "median_l1_mean": round(median(errors[epsilon]), 5),
                "l1_mean": errors[epsilon],
                "median_resolved": median(resolved[epsilon]),
            }
