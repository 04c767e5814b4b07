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
    FittedTopics,
    SplitDocuments,
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

EPSILONS = (0.3, 1.0, 3.0)
N_DRAWS = 3
OURS = ("Private unigram", "Refined", "Refined + public table")
FEW_WORDS = 300
FEW_TOPICS = 3
SHORT = 16

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
    """A row for each corpus, method and ε: medians over draws of noise.

    Args:
        wikipedia: path of Wikipedia's leads.
        corpora: ``NAME=PATH`` of others; the first is the public text for Wikipedia's leads.
        only: methods to measure; stored rows of others stay.
    """
    new_rows = _rows_of_ours(wikipedia, corpora, only)
    yield from replace_rows("public-knowledge", new_rows, ("setting", "method", "epsilon"))


def _rows_of_ours(wikipedia: str, corpora: list[str], methods: Sequence[str]) -> Iterator[Row]:
    """The rows of some of our methods alone."""
    load_corpus = partial(dplda.load, label=Label.PUBLIC, n_words=N_READ_WORDS)
    corpus_by_name = {}
    for name_and_path in corpora:
        name, _, path = name_and_path.partition("=")
        corpus_by_name[name] = load_corpus(path)
    first_name, first_corpus = next(iter(corpus_by_name.items()))
    for name, corpus in corpus_by_name.items():
        yield from _ours(name, SplitDocuments.split(corpus), "english", methods)
    leads = SplitDocuments.split(load_corpus(wikipedia, text="text"))
    yield from _ours("Wikipedia leads", leads, first_corpus, methods)
    for description, documents in poorer_documents(first_corpus):
        yield from _ours(f"{first_name}, {description}", documents, "english", methods)


def poorer_documents(corpus: Corpus) -> Iterator[tuple[str, SplitDocuments]]:
    """Documents that say less about what belongs together, and fewer topics to find in them.

    Yields:
        What is less, in words, and the documents.
    """
    yield f"{FEW_WORDS} words", SplitDocuments.split(corpus, FEW_WORDS)
    few_topics = replace(PROBLEM, n_topics=FEW_TOPICS)
    yield f"{FEW_TOPICS} topics", replace(SplitDocuments.split(corpus), problem=few_topics)
    counts = canonical_counts(corpus.counts[:, :N_WORDS]).copy()
    keep_probabilities = np.minimum(1.0, SHORT / np.maximum(1, counts.sum(axis=1)))
    probability_of_entry = np.repeat(keep_probabilities, np.diff(counts.indptr))
    counts.data = np.random.default_rng(0).binomial(counts.data, probability_of_entry)
    counts.eliminate_zeros()
    shortened = replace(
        corpus, counts=canonical_counts(counts), vocabulary=corpus.vocabulary[:N_WORDS], intake=None
    )
    yield f"{SHORT} words a document at most", SplitDocuments.split(shortened)


def _ours(
    name: str,
    documents: SplitDocuments,
    table: prior_mixtures.PriorLike,
    titles: Sequence[str],
) -> Iterator[Row]:
    """Rows of our methods with these titles, on one corpus."""
    with_table = refined(prior=partial(prior_mixtures.make_prior, table))
    methods = (private_unigram(), refined(), with_table)
    for title, method in zip(OURS, methods, strict=True):
        if title in titles:
            yield from _measure(name, title, documents, method)


def _measure(name: str, title: str, documents: SplitDocuments, method: Method) -> Iterator[Row]:
    """A row for each ε: perplexity and coherence over draws of noise."""
    for epsilon in EPSILONS:
        budget = Budget(epsilon, DELTA)
        results = [
            method.fit(documents.corpus, documents.problem, budget, Runtime(draw))
            for draw in range(N_DRAWS)
        ]
        coherences = [npmi(result.topics.words, documents.test).mean for result in results]
        perplexities = [
            round(topics_perplexity(FittedTopics.of_result(result), documents.cut), 1)
            for result in results
        ]
        yield {
            "setting": name,
            "method": title,
            "epsilon": epsilon,
            "perplexity": float(np.median(perplexities)),
            "least": min(perplexities),
            "most": max(perplexities),
            "npmi": round(float(np.median(coherences)), 4),
            "n_documents": documents.corpus.n_documents,
        }
