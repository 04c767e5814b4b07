"""Verdicts before a release, against what came out: on twins with real words, and on corpora held out.

A case has settings drawn at random over the ranges that owners use. On a twin, themes are known: a theme is found if
five of a topic's ten leading words are its own. On a corpus, topics with evidence count. Two thirds of them or more
make a case *readable*, one sixth or less *nothing*. The twins' share of common words varies, as that of texts does.
"""

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import dplda
from dplda.corpus import Corpus, Label
from dplda.corpus.simulation.real_word_twin import RealWordTwin
from dplda.evaluation.themes import find_themes
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.algorithm import fit_refined
from dplda.methods.refined.prior_sources import load_english_prior
from dplda.release.verdict.signal_strength import MAX_LENGTH, PublicNumbers
from dplda.release.verdict.verdict import foresee

DELTA = 1e-7
MAX_WORK = 1.5e7  # rows · words · topics of a case, so that it takes a second or two
N_READ_WORDS = 7000
Row = dict[str, str | float | int | bool | list[float]]


@dataclass(frozen=True, slots=True)
class Case:
    """Public numbers, and what a release with them gave.

    Attributes:
        kind: twins, or the name of a corpus.
        numbers: as the verdict reads them.
        fraction: themes found, or topics with evidence, over k.
    """

    kind: str
    numbers: PublicNumbers
    fraction: float

    def row(self) -> Row:
        """The case as a row of the results."""
        verdict = foresee(self.numbers)
        return {
            "section": "cases",
            "kind": self.kind,
            "N": self.numbers.n_rows,
            "d": self.numbers.n_words,
            "k": self.numbers.n_topics,
            "alpha0": self.numbers.alpha0,
            "epsilon": self.numbers.epsilon,
            "length": self.numbers.mean_length,
            "documents": self.numbers.documents_per_row,
            "table": self.numbers.has_table,
            "signal": [round(verdict.signal.low, 1), round(verdict.signal.high, 1)],
            "verdict": str(verdict.readability),
            "found": round(self.fraction, 4),
        }


def add_options(parser: argparse.ArgumentParser) -> None:
    """How many cases, and corpora to hold out."""
    parser.add_argument("--twins", type=int, default=200, help="cases of simulated documents")
    parser.add_argument("--cases", type=int, default=60, help="cases of each corpus")
    parser.add_argument("--tables", action="store_true", help="also with the English table")
    parser.add_argument(
        "--corpora", nargs="*", default=[], metavar="PATH", help="files of public documents"
    )


def run(twins: int, cases: int, tables: bool, corpora: list[str]) -> Iterator[Row]:
    """A row for each case, and one for each kind of documents: how often verdicts were right."""
    rows = []
    for case in _all_cases(twins, cases, corpora, tables=tables):
        rows.append(case.row())
        yield dict(rows[-1])
    for kind in dict.fromkeys(row["kind"] for row in rows):
        for table in (False, True):
            judged = [row for row in rows if row["kind"] == kind and row["table"] == table]
            if judged:
                yield {"kind": kind, "table": "English" if table else "none", **summary(judged)}


def summary(rows: list[Row]) -> Row:
    """How often verdicts were right, and how many outcomes were foretold, in percent."""
    signals = np.array([row["verdict"] for row in rows])
    found = np.array([row["found"] for row in rows], dtype=float)
    readable, nothing = found >= 2 / 3 - 1e-3, found <= 1 / 6 + 1e-3
    said_readable, said_nothing = signals == "expect readable topics", signals == "nothing readable"
    return {
        "cases": len(rows),
        "readable is right, %": _percent(readable, said_readable),
        "nothing is right, %": _percent(nothing, said_nothing),
        "weak, %": _percent(signals == "weak", np.ones(len(rows), dtype=bool)),
        "readable foretold, %": _percent(said_readable, readable),
        "nothing foretold, %": _percent(said_nothing, nothing),
    }


def _percent(hits: np.ndarray, among: np.ndarray) -> float:
    return round(100 * float(hits[among].mean()), 1) if among.any() else math.nan


def _all_cases(twins: int, cases: int, corpora: list[str], *, tables: bool) -> Iterator[Case]:
    for has_table in (False, True) if tables else (False,):
        for seed in range(twins):
            yield from twin_case(seed, has_table=has_table)
    for path in corpora:
        options = {"text": "text"} if path.endswith("jsonl.gz") else {}
        corpus = dplda.load(path, label=Label.PUBLIC, n_words=N_READ_WORDS, **options)
        for has_table in (False, True) if tables else (False,):
            for seed in range(cases):
                yield from corpus_case(path, corpus, seed, has_table=has_table)


def twin_case(seed: int, *, has_table: bool) -> Iterator[Case]:
    """A case of simulated documents; none if it would take long."""
    rng = np.random.default_rng([31, seed])
    documents = 1.0 if rng.random() < 0.5 else float(rng.uniform(1.5, 6))
    n_topics = int(_log_uniform(rng, 2, 20.99))
    numbers = PublicNumbers(
        n_rows=int(_log_uniform(rng, 300, 100_000)),
        n_words=int(_log_uniform(rng, 100, 10_000)),
        n_topics=n_topics,
        alpha0=float(rng.choice([0.1, 0.1, 0.3, 1.0])),
        epsilon=_log_uniform(rng, 0.3, 10),
        delta=DELTA,
        mean_length=_log_uniform(rng, 8, 150),
        documents_per_row=documents,
        has_table=has_table,
    )
    if _work(numbers) > MAX_WORK:
        return
    twin = RealWordTwin(
        n_rows=numbers.n_rows,
        n_words=numbers.n_words,
        n_topics=n_topics,
        alpha0=numbers.alpha0,
        mean_length=numbers.mean_length,
        documents_per_row=documents,
        common_share=float(rng.uniform(0.3, 0.5)),
        seed=seed,
    )
    corpus = twin.draw()
    result = _fit(corpus, numbers, seed)
    themes = [theme.words for theme in twin.themes]
    found = find_themes(result.topics, corpus.vocabulary, themes)
    yield Case("twins", numbers, sum(found) / n_topics)


def corpus_case(name: str, corpus: Corpus, seed: int, *, has_table: bool) -> Iterator[Case]:
    """A case of some documents of a corpus, over its most common words; none if it would take long."""
    rng = np.random.default_rng([37, seed])
    n_rows = min(corpus.n_documents, int(_log_uniform(rng, 500, 20_000)))
    n_words = int(_log_uniform(rng, 200, N_READ_WORDS))
    rows = rng.choice(corpus.n_documents, n_rows, replace=False)
    frequency = np.asarray((corpus.counts > 0).sum(axis=0)).ravel()
    words = np.argsort(-frequency, kind="stable")[:n_words]
    counts = corpus.counts[rows][:, words]
    numbers = PublicNumbers(
        n_rows=n_rows,
        n_words=n_words,
        n_topics=int(_log_uniform(rng, 3, 20.99)),
        alpha0=float(rng.choice([0.1, 1.0])),
        epsilon=_log_uniform(rng, 0.3, 10),
        delta=DELTA,
        mean_length=max(1.0, float(counts.sum() / n_rows)),
        has_table=has_table,
    )
    if _work(numbers) > MAX_WORK:
        return
    vocabulary = tuple(corpus.vocabulary[place] for place in words)
    part = Corpus.from_counts(counts, vocabulary=vocabulary, label=Label.PUBLIC, name="part")
    evidence = _fit(part, numbers, seed).evidence
    supported = sum(evidence.is_above_noise) if evidence is not None else 0
    yield Case(name.split("/")[-2], numbers, supported / numbers.n_topics)


def _fit(corpus: Corpus, numbers: PublicNumbers, seed: int) -> FitResult:
    return fit_refined(
        corpus,
        Problem(numbers.n_topics, numbers.alpha0),
        Budget(numbers.epsilon, DELTA),
        Runtime(seed=seed),
        prior=load_english_prior(numbers.n_topics) if numbers.has_table else None,
    )


def _work(numbers: PublicNumbers) -> float:
    length = min(numbers.mean_length * numbers.documents_per_row, MAX_LENGTH)
    return numbers.n_rows * length * numbers.n_topics


def _log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))
