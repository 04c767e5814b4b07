"""A release that is continued to a larger total, beside one release at that total.

Beside the errors stand the gains that both state: in nats a word, of their own topics.
"""

import argparse
import math
from collections.abc import Callable, Iterator
from functools import cache, partial

import numpy as np

import dplda
from dplda.corpus import Corpus, Label, Simulation
from dplda.evaluation import Halves, completion, halves, hold_out
from dplda.methods.base.method import FitResult
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.algorithm import fit_refined
from dplda.privacy.accounting import gaussian
from dplda.spectral.topics import match

DELTA, N_WORDS, N_TOPICS, DRAWS = 1e-7, 1000, 10, 5
STEPS = ((0.3, 1.0), (0.5, 1.0), (0.5, 3.0))  # ε of the first release, and of both together
SIMULATED = ((20_000, 0.1), (20_000, 1.0), (100_000, 0.1), (100_000, 1.0))  # N and α0
SIMULATED_DRAWS = 10  # a draw can merge topics, continued or not, which doubles its error
Judge = Callable[[FitResult], float]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where the corpora lie."""
    parser.add_argument(
        "--corpus",
        dest="corpora",
        action="append",
        default=[],
        metavar="NAME=PATH",
        help="a corpus to judge",
    )


def run(corpora: list[str]) -> Iterator[dict[str, object]]:
    """A row for each corpus and pair of ε: mean errors over draws of noise, and mean stated gains.

    With the errors comes their ratio and its standard error.
    """
    read = partial(dplda.load, label=Label.PUBLIC, n_words=N_WORDS)
    named = {"Python docstrings": dplda.python_docs()}
    named |= {name: read(path) for name, _, path in (each.partition("=") for each in corpora)}
    for name, corpus in named.items():
        parts = hold_out(corpus, fraction=0.1, seed=0)
        judge = partial(_perplexity, halves(parts.test, seed=0))
        yield from _rows(name, [(parts.train, judge)] * DRAWS, Problem(N_TOPICS, 1.0))
    for n, alpha0 in SIMULATED:
        shape = Simulation(
            n_documents=n, n_words=N_WORDS, n_topics=N_TOPICS, alpha0=alpha0, mean_length=60
        )
        corpus = shape.draw()
        judged = [(corpus, partial(_l1, corpus))] * SIMULATED_DRAWS
        yield from _rows(
            f"simulated, N = {n:,}, α0 = {alpha0:g}", judged, Problem(N_TOPICS, alpha0)
        )


def _rows(
    name: str, judged: list[tuple[Corpus, Judge]], problem: Problem
) -> Iterator[dict[str, object]]:
    alone = cache(lambda epsilon, seed: _run(judged[seed][0], problem, epsilon, seed))
    for first, total in STEPS:
        rows, gains = [], []
        for seed, (corpus, judge) in enumerate(judged):
            begun, at_once = alone(first, seed), alone(total, seed)
            continued = _run(corpus, problem, total, seed, begun, gaussian.mu_for(first, DELTA))
            rows.append([judge(one) for one in (begun, at_once, continued)])
            gains.append([_stated_gain(one) for one in (begun, at_once, continued)])
        errors = np.array(rows)
        begun_error, at_once_error, error = np.mean(errors, axis=0).tolist()
        first_gain, at_once_gain, continued_gain = np.mean(gains, axis=0).tolist()
        ratio, ratios = error / at_once_error, errors[:, 2] / errors[:, 1]
        apart = errors[:, 2] - ratio * errors[:, 1]  # a ratio's error to first order
        yield {
            "setting": name,
            "first": first,
            "total": total,
            "draws": len(errors),
            "first_alone": begun_error,
            "at_once": at_once_error,
            "continued": error,
            "ratio": ratio,
            "error": float(np.std(apart, ddof=1)) / math.sqrt(len(rows)) / at_once_error,
            "ratios": [float(np.min(ratios)), float(np.max(ratios))],
            "first_gain": first_gain,
            "at_once_gain": at_once_gain,
            "continued_gain": continued_gain,
        }


def _run(
    corpus: Corpus,
    problem: Problem,
    epsilon: float,
    seed: int,
    begun: FitResult | None = None,
    spent: float = 0.0,
) -> FitResult:
    since = None
    if begun is not None:
        assert begun.state is not None
        since = PreviousRelease(begun.state, spent, begun.evidence, f"{seed}")
    return fit_refined(corpus, problem, Budget(epsilon, DELTA), Runtime(seed), previous=since)


def _stated_gain(one: FitResult) -> float:
    assert one.evidence is not None
    return one.evidence.gain_per_word


def _perplexity(cut: Halves, one: FitResult) -> float:
    return completion(one.topics.words, one.topics.alpha, cut=cut, mean_words=one.topics.mean_words)


def _l1(corpus: Corpus, one: FitResult) -> float:
    assert corpus.truth is not None
    truth = corpus.truth.topics[match(one.topics.words, corpus.truth.topics)]
    return float(np.mean(np.sum(np.abs(one.topics.words - truth), axis=1)))
