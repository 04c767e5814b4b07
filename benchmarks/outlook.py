"""Ranges that more budget was said to give, beside those of the release continued to it."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dplda.corpus import Simulation
from dplda.methods.base.method import FitResult
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.registry import parse_method
from dplda.privacy.accounting import gaussian
from dplda.release.artefact.findings import findings_of
from dplda.release.report.outlook import BUDGET_FACTORS, N_LEADING_WORDS, predicted_interval_widths

DELTA, DRAWS = 1e-7, 5
SETTINGS = (  # N, d, k, α0, ε
    (4_000, 120, 3, 1.0, 1.0),
    (10_000, 300, 6, 0.1, 1.0),
    (20_000, 300, 5, 1.0, 0.5),
    (20_000, 1000, 10, 0.1, 3.0),
    (50_000, 500, 10, 1.0, 1.0),
)


def run() -> Iterator[dict[str, object]]:
    """A row for each setting and total: ranges predicted and obtained, as fractions of those before."""
    method = parse_method("refined")
    for n, d, k, alpha0, epsilon in SETTINGS:
        mus = [gaussian.mu_for(more * epsilon, DELTA) for more in (1.0, *BUDGET_FACTORS)]
        shape = Simulation(n_documents=n, n_words=d, n_topics=k, alpha0=alpha0, mean_length=60)
        pairs: list[tuple[list[float], list[float]]] = []
        for seed in range(DRAWS):
            corpus, problem = replace(shape, seed=seed).draw(), Problem(k, alpha0)
            found = method.fit(corpus, problem, Budget(epsilon, DELTA), Runtime(seed))
            one = findings_of(
                found,
                method.title,
                alpha0,
                vocabulary=corpus.vocabulary,
                documents="",
                n_documents=n,
                keeps_topic_order=True,
            )
            predicted = predicted_interval_widths(one, method, mus, DELTA)
            if predicted:
                assert found.state is not None
                assert method.fit_continued is not None
                since = PreviousRelease(found.state, mus[0], found.evidence, f"{seed}")
                more = [
                    method.fit_continued(
                        since, corpus, problem, Budget(m * epsilon, DELTA), Runtime(seed)
                    )
                    for m in BUDGET_FACTORS
                ]
                pairs.append((predicted[1:], [_narrower(found, each) for each in more]))
        for i, more_epsilon in enumerate(BUDGET_FACTORS):
            ratios = np.log([said[i] / came[i] for said, came in pairs])
            row: dict[str, object] = {
                "documents": n,
                "words": d,
                "topics": k,
                "alpha0": alpha0,
                "epsilon": epsilon,
            }
            row |= {"total": more_epsilon * epsilon, "draws": DRAWS, "steady": len(pairs)}
            if pairs:
                row["predicted"], row["obtained"] = (
                    float(np.exp(np.mean(np.log([p[j][i] for p in pairs])))) for j in (0, 1)
                )
                row["ratio"] = math.exp(np.mean(ratios))
                row["ratios"] = [math.exp(np.min(ratios)), math.exp(np.max(ratios))]
            yield row


def _narrower(before: FitResult, after: FitResult) -> float:
    """Median ratio of the ranges of leading words; topics of a continued release keep their places."""
    assert before.uncertainty is not None
    assert after.uncertainty is not None
    first = np.argsort(-before.topics.words, axis=1)[:, :N_LEADING_WORDS]
    old, new = (
        np.take_along_axis(np.subtract(*each.uncertainty.interval()[::-1]), first, axis=1)
        for each in (before, after)
    )
    return float(np.median(new / old))
