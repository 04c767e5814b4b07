"""How often intervals of refined topics at level 0.9 hold the truth, on documents drawn from the model."""

from collections.abc import Iterator

import numpy as np

from dplda.corpus import Simulation
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.algorithm import fit_refined
from dplda.spectral.topics import match

CORPORA = ((100, 3, 0.1), (100, 3, 1.0), (300, 5, 1.0), (100, 3, 10.0), (1000, 10, 1.0))  # d, k, α0
SIZES = {20_000: 3, 100_000: 2}  # how many corpora of each
EPSILONS = (0.3, 1.0, 3.0)
DRAWS = 2
FIRST = 10  # words of each topic


def run() -> Iterator[dict[str, object]]:
    """One row a corpus and ε: parts of cells covered, in all, at least, and of each topic's first words."""
    for n, many in SIZES.items():
        for d, k, alpha0 in CORPORA:
            shape = {"n_documents": n, "n_words": d, "n_topics": k, "alpha0": alpha0}
            corpora = [
                Simulation(**shape, mean_length=60, seed=seed).draw() for seed in range(many)
            ]
            for epsilon in EPSILONS:
                inside, first, width = [], [], []
                for corpus in corpora:
                    for seed in range(DRAWS):
                        found = fit_refined(
                            corpus, Problem(k, alpha0), Budget(epsilon, 1e-7), Runtime(seed)
                        )
                        assert corpus.truth is not None
                        assert found.uncertainty is not None
                        truth = corpus.truth.topics[match(found.topics.words, corpus.truth.topics)]
                        low, high = found.uncertainty.interval()
                        held = (low <= truth) & (truth <= high)
                        inside.append(float(np.mean(held)))
                        order = np.argsort(-found.topics.words, axis=1)[:, :FIRST]
                        first.append(float(np.mean(np.take_along_axis(held, order, axis=1))))
                        width.append(float(np.mean(np.sum(high - low, axis=1))))
                yield shape | {
                    "epsilon": epsilon,
                    "runs": len(inside),
                    "covered": round(float(np.mean(inside)), 3),
                    "least_of_a_run": round(min(inside), 3),
                    "covered_of_first_words": round(float(np.mean(first)), 3),
                    "width": round(float(np.mean(width)), 3),
                }
