"""Topic error of every configuration and calibration against ε: medians over five simulated corpora."""

from collections.abc import Iterator
from statistics import median

import dplda
from dplda.core.errors import NoFiniteNoise, NoTopics
from dplda.methods.base.problem import Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.spectral.corpus_statistics import StatisticsCache

N_DOCUMENTS, N_WORDS, N_TOPICS, MEAN_LENGTH, DELTA = 100_000, 100, 3, 100, 1e-7
ALPHAS, EPSILONS, SEEDS = (0.1, 1.0, 10.0), (0.5, 1.0, 2.0, 3.0), range(5)
Row = dict[str, float | str | list[float] | None]


def run() -> Iterator[Row]:
    """One row for each α0, configuration, calibration and ε; a refusal counts as the largest error, 2."""
    for alpha0 in ALPHAS:
        errors: dict[tuple[str, str, float], list[float]] = {}
        for seed in SEEDS:
            corpus = dplda.simulate(
                n_documents=N_DOCUMENTS,
                n_words=N_WORDS,
                n_topics=N_TOPICS,
                alpha0=alpha0,
                mean_length=MEAN_LENGTH,
                seed=seed,
            )
            sums = StatisticsCache(corpus.counts)
            for name, configuration in REGISTRY.items():
                for variant in configuration.variants.values():
                    for epsilon in EPSILONS:
                        plan = dplda.Plan(
                            name, epsilon, DELTA, calibration=variant.calibration, law=variant.law
                        )
                        key = (name, str(variant.scaling), epsilon)
                        errors.setdefault(key, []).append(_error(corpus, plan, alpha0, seed, sums))
        for (name, calibration_name, epsilon), found in errors.items():
            yield {
                "alpha0": alpha0,
                "configuration": name,
                "calibration": calibration_name,
                "epsilon": epsilon,
                "median_l1_mean": round(median(found), 4),
                "l1_mean": [round(error, 4) for error in found],
                "refused": sum(error == 2 for error in found),
            }


def _error(
    corpus: dplda.Corpus, plan: dplda.Plan, alpha0: float, seed: int, sums: StatisticsCache
) -> float:
    assert corpus.truth is not None
    try:
        found = fit_spectral(
            corpus, plan, Problem(N_TOPICS, alpha0), Runtime(seed, statistics=sums)
        )
    except (NoFiniteNoise, NoTopics):
        return 2.0
    return dplda.topic_error(corpus.truth.topics, found.topics.words).l1_mean
