"""What public text is worth: *Refined* with and without a table of public knowledge, and word frequencies alone.

Rows of clusters of documents, the rival on public vectors, stay as they were measured; the leaderboard has that rival.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

import dplda
from benchmarks.judged_documents import (
    DELTA,
    N_READ_WORDS,
    N_WORDS,
    PROBLEM,
    Found,
    Judged,
    topics_perplexity,
)
from benchmarks.remeasured import replace_rows
from dplda.corpus import Corpus, Label
from dplda.corpus.counts import canonical_counts
from dplda.evaluation import npmi
from dplda.methods.base.method import Method
from dplda.methods.base.problem import Budget
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.prior import prior_mixtures
from dplda.methods.refined.refined_methods import refined
from dplda.methods.unigram import private_unigram

EPSILONS, N_DRAWS = (0.3, 1.0, 3.0), 3
OURS = ("Private unigram", "Refined", "Refined + public table")
FEW_WORDS, FEW_TOPICS, SHORT = 300, 3, 16

Row = dict[str, str | float | int]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where the corpora lie."""
    parser.add_argument(
        "--wikipedia",
        required=True,
        help="Wikipedia's leads: public for the others, and judged too",
    )
    parser.add_argument(
        "--corpus",
        dest="corpora",
        action="append",
        required=True,
        metavar="NAME=PATH",
        help="a corpus to judge; the first is what is public for Wikipedia's leads",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=OURS,
        default=OURS,
        help="methods to measure anew; other rows stay as they were",
    )


def run(wikipedia: str, corpora: list[str], only: Sequence[str] = OURS) -> Iterator[Row]:
    """A row for each corpus, method and ε: medians over draws of noise."""
    new_rows = _rows_of_ours(wikipedia, corpora, only)
    yield from replace_rows("public-knowledge", new_rows, ("setting", "method", "epsilon"))


def _rows_of_ours(wikipedia: str, corpora: list[str], methods: Sequence[str]) -> Iterator[Row]:
    """The rows of some of our methods alone."""
    read = partial(dplda.load, label=Label.PUBLIC, n_words=N_READ_WORDS)
    named = {name: read(path) for name, _, path in (each.partition("=") for each in corpora)}
    first_name, first_corpus = next(iter(named.items()))
    for name, corpus in named.items():
        yield from _ours(name, Judged.of(corpus), "english", methods)
    leads = Judged.of(read(wikipedia, text="text"))
    yield from _ours("Wikipedia leads", leads, first_corpus, methods)
    for less, judged in saying_less(first_corpus):
        yield from _ours(f"{first_name}, {less}", judged, "english", methods)


def saying_less(corpus: Corpus) -> Iterator[tuple[str, Judged]]:
    """Documents that say less about what belongs together, and fewer topics to find in them."""
    yield f"{FEW_WORDS} words", Judged.of(corpus, FEW_WORDS)
    yield (
        f"{FEW_TOPICS} topics",
        replace(Judged.of(corpus), problem=replace(PROBLEM, n_topics=FEW_TOPICS)),
    )
    counts = canonical_counts(corpus.counts[:, :N_WORDS]).copy()
    kept = np.minimum(1.0, SHORT / np.maximum(1, counts.sum(axis=1)))
    counts.data = np.random.default_rng(0).binomial(
        counts.data, np.repeat(kept, np.diff(counts.indptr))
    )
    counts.eliminate_zeros()
    short = replace(
        corpus, counts=canonical_counts(counts), vocabulary=corpus.vocabulary[:N_WORDS], intake=None
    )
    yield f"{SHORT} words a document at most", Judged.of(short)


def _ours(
    name: str,
    judged: Judged,
    table: prior_mixtures.PriorLike,
    methods: Sequence[str],
) -> Iterator[Row]:
    with_table = refined(prior=partial(prior_mixtures.make_prior, table))
    for method, of in zip(OURS, (private_unigram(), refined(), with_table), strict=True):
        if method in methods:
            yield from _measured(name, method, judged, of)


def _measured(name: str, title: str, judged: Judged, method: Method) -> Iterator[Row]:
    for epsilon in EPSILONS:
        budget = Budget(epsilon, DELTA)
        topics_of_draws = [
            method.fit(judged.corpus, judged.problem, budget, Runtime(draw)).topics
            for draw in range(N_DRAWS)
        ]
        coherences = [npmi(topics.words, judged.test).mean for topics in topics_of_draws]
        perplexities = [
            round(
                topics_perplexity(Found(topics.words, topics.alpha, topics.mean_words), judged.cut),
                1,
            )
            for topics in topics_of_draws
        ]
        yield {
            "setting": name,
            "method": title,
            "epsilon": epsilon,
            "perplexity": float(np.median(perplexities)),
            "least": min(perplexities),
            "most": max(perplexities),
            "npmi": round(float(np.median(coherences)), 4),
            "n_documents": judged.corpus.n_documents,
        }
