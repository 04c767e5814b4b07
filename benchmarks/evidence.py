"""Evidence on corpora without topics, all drawn from one word distribution: how often it says that there are some."""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

import dplda
from dplda.core.types import Vector
from dplda.corpus import Corpus, Label
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.algorithm import fit_refined
from dplda.methods.refined.evidence import TopicEvidence

DELTA, N_TOPICS, CORPORA = 1e-7, 10, 20
MANY, SHARING = (
    10_000,
    5,
)  # documents from which on so many corpora of one law share the runs they are compared with


class Setting(NamedTuple):
    """Documents, words, mean words of a document, and ε."""

    n_documents: int
    n_words: int
    length: int
    epsilon: float


SETTINGS = (
    Setting(2000, 200, 50, 0.3),
    Setting(2000, 1000, 50, 3.0),
    Setting(5000, 500, 100, 1.0),
    Setting(6000, 200, 60, 3.0),
    Setting(10_000, 1000, 30, 1.0),
    Setting(20_000, 1000, 56, 0.3),
    Setting(20_000, 300, 80, 10.0),
    Setting(3000, 100, 20, 10.0),
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Whose word frequencies."""
    parser.add_argument(
        "--corpus", required=True, metavar="PATH", help="a corpus whose word frequencies are used"
    )


def run(corpus: str) -> Iterator[dict[str, object]]:
    """A row for each setting: how many corpora were called better than word frequencies, and how many topics named."""
    counts = np.asarray(
        dplda.load(corpus, label=Label.PUBLIC, n_words=1000).counts.sum(axis=0), dtype=float
    )
    for number, setting in enumerate(SETTINGS):
        found = list(measured(number, counts.ravel()))
        yield {
            **setting._asdict(),
            "corpora": len(found),
            "better": sum(one.is_significant for one in found),
            "topics": len(found) * N_TOPICS,
            "named": sum(one.n_supported_topics for one in found),
        }


def measured(number: int, counts: Vector, first: int = 0) -> Iterator[TopicEvidence]:
    """The evidence of one setting's corpora, one after the other, from one of them on."""
    n, d, length, epsilon = SETTINGS[number]
    shared: tuple[TopicEvidence, ...] | None = None
    for seed in range(first, CORPORA):
        rng = np.random.default_rng([number, seed])
        drawn = rng.multinomial(
            rng.poisson(length, size=n), counts[:d] / np.sum(counts[:d])
        ).astype(np.int32)
        flat = Corpus.from_counts(csr_array(drawn), label=Label.SIMULATED, name="flat")
        budget = Budget(epsilon, DELTA)
        evidence = fit_refined(flat, Problem(N_TOPICS, 1.0), budget, Runtime(1000 + seed)).evidence
        assert evidence is not None
        if n >= MANY:
            if shared is None or seed % SHARING == 0:
                shared = evidence.null_runs
            evidence = replace(evidence, known_null_runs=shared)
        yield evidence
