"""What tables of public knowledge change: useful ones, useless ones, seed words; and whether evidence agrees.

Perplexity and NPMI are of documents held out, a tenth; draws with and without a table have the same noise. Public text
is Wikipedia's leads (the English table), and 20 Newsgroups for these. Seeds are five words for each of ten themes.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np

import dplda
from benchmarks.judged_documents import (
    DELTA,
    N_READ_WORDS,
    PROBLEM,
    FittedTopics,
    SplitDocuments,
    topics_perplexity,
)
from dplda.corpus import Corpus, Label, Simulation
from dplda.corpus.python_docs import python_docs
from dplda.evaluation import npmi
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.prior import prior_mixtures
from dplda.methods.refined.prior.topic_prior import TopicPrior
from dplda.methods.refined.refined_methods import PriorOf, refined

EPSILONS = (0.1, 0.3, 0.5, 1.0, 3.0, 10.0)
DRAWS = 5
ASKED = (0.3, 1.0, 3.0, 10.0)  # values of ε with useless tables
MANY = 10  # draws with useless tables
SPREAD = 1.5  # of the logarithm of random ratios, about that of the English table
SIZES = (1000, 3000)  # of parts of two corpora
SIX = Simulation(
    n_documents=10_000, n_words=300, n_topics=6, alpha0=0.1, mean_length=60, newspaper="english"
)
SEEDS = {
    "space": "space nasa launch orbit moon",
    "hockey": "hockey team game season players",
    "religion": "god jesus church christian bible",
    "guns": "gun guns weapons firearms crime",
    "graphics": "image graphics color images files",
    "cars": "car cars engine miles speed",
    "encryption": "key encryption chip clipper keys",
    "disks": "drive disk scsi hard controller",
    "windows": "windows dos window file program",
    "middle east": "israel jews armenian turkish war",
}
Row = dict[str, str | float | int]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where the corpora lie."""
    for name in ("newsgroups", "ap", "wikipedia"):
        parser.add_argument(f"--{name}", required=True, help="path of this corpus")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=tuple(SECTIONS))


def run(*, newsgroups: str, ap: str, wikipedia: str, only: tuple[str, ...]) -> Iterator[Row]:
    """A row for each corpus, table and ε.

    Args:
        newsgroups: path of 20 Newsgroups.
        ap: path of Associated Press.
        wikipedia: path of Wikipedia's leads.
        only: names of sections.
    """
    load_corpus = partial(dplda.load, label=Label.PUBLIC, n_words=N_READ_WORDS)
    texts = {
        "20 Newsgroups": load_corpus(newsgroups),
        "AP": load_corpus(ap),
        "Wikipedia leads": load_corpus(wikipedia, text="text"),
        "Python docstrings": python_docs(),
    }
    for section in only:
        for row in SECTIONS[section](texts):
            yield {"section": section, **row}


def _useful(texts: dict[str, Corpus]) -> Iterator[Row]:
    """Each corpus, and parts of two, with and without a table."""
    parts = {
        f"{name}, {n:,}": _part(texts[name], n)
        for name in ("20 Newsgroups", "Wikipedia leads")
        for n in SIZES
    }
    for name, corpus in (texts | parts).items():
        documents = SplitDocuments.split(corpus)
        table = texts["20 Newsgroups"] if name.startswith("Wikipedia") else "english"
        prior_of = partial(prior_mixtures.make_prior, table)
        for epsilon in EPSILONS:
            plain_results = [_fit(documents, epsilon, draw) for draw in range(DRAWS)]
            table_results = [_fit(documents, epsilon, draw, prior_of) for draw in range(DRAWS)]
            evidences = [result.evidence for result in plain_results]
            yield {
                "setting": name,
                "epsilon": epsilon,
                "perplexity": _median_perplexity(documents, plain_results),
                "npmi": _median_coherence(documents, plain_results),
                "with_table": _median_perplexity(documents, table_results),
                "npmi_with_table": _median_coherence(documents, table_results),
                "let_in": _n_let_in(table_results),
                "gain": _median(evidence.gain_per_word for evidence in evidences),
                "reach": _median(
                    evidence.interval(0.95)[1] - evidence.gain_per_word for evidence in evidences
                ),
                "gain_held_out": _median(_held_out(documents, result) for result in plain_results),
                "n_documents": documents.corpus.n_documents,
            }


def _useless(texts: dict[str, Corpus]) -> Iterator[Row]:
    """Tables that say nothing about a corpus: how often they are let in, and what they cost."""
    for name, corpus in texts.items():
        documents = SplitDocuments.split(corpus)
        other_corpus = texts["AP" if name == "Python docstrings" else "Python docstrings"]
        priors = {
            "shuffled words": _shuffled,
            "random ratios": _random,
            "another's": partial(prior_mixtures.make_prior, other_corpus),
        }
        for (kind, prior_of), epsilon in product(priors.items(), ASKED):
            log_costs = []
            table_results = []
            for draw in range(MANY):
                plain_result = _fit(documents, epsilon, draw)
                table_result = _fit(documents, epsilon, draw, prior_of)
                ratio = _perplexity(documents, table_result) / _perplexity(documents, plain_result)
                log_costs.append(np.log(ratio))
                table_results.append(table_result)
            yield {
                "setting": name,
                "table": kind,
                "epsilon": epsilon,
                "draws": MANY,
                "let_in": _n_let_in(table_results),
                "cost_percent": round(100 * float(np.expm1(np.mean(log_costs))), 2),
            }


def _seeds(texts: dict[str, Corpus]) -> Iterator[Row]:
    """Ten themes on 20 Newsgroups."""
    documents = SplitDocuments.split(texts["20 Newsgroups"])
    themes = {theme: words.split() for theme, words in SEEDS.items()}
    prior_of = partial(prior_mixtures.make_prior, themes)
    for epsilon in (0.3, 1.0):
        results = [_fit(documents, epsilon, draw, prior_of) for draw in range(DRAWS)]
        yield {
            "epsilon": epsilon,
            "perplexity": _median_perplexity(documents, results),
            "let_in": _n_let_in(results),
        }


def _sections(texts: dict[str, Corpus]) -> Iterator[Row]:
    """A newspaper's six sections asked for as ten: how many carry the gain, draw by draw."""
    corpus = SIX.draw()
    budget = Budget(1.0, DELTA)
    results = [
        refined().fit(corpus, Problem(10, 1.0), budget, Runtime(draw)) for draw in range(MANY)
    ]
    shared_null_runs = results[0].evidence.null_runs
    for draw, result in enumerate(results):
        evidence = replace(result.evidence, known_null_runs=shared_null_runs)
        yield {
            "draw": draw,
            "better": evidence.is_significant,
            "carry": evidence.n_supported_topics,
        }


def _part(corpus: Corpus, n_documents: int) -> Corpus:
    rng = np.random.default_rng(0)
    rows = np.sort(rng.choice(corpus.n_documents, n_documents, replace=False))
    return replace(corpus, counts=corpus.counts[rows], intake=None)


def _fit(
    documents: SplitDocuments, epsilon: float, draw: int, prior_of: PriorOf | None = None
) -> FitResult:
    method = refined(prior=prior_of)
    return method.fit(documents.corpus, PROBLEM, Budget(epsilon, DELTA), Runtime(draw))


def _n_let_in(results: list[FitResult]) -> int:
    """Number of runs that used their table."""
    return sum(result.prior is not None and result.prior.used for result in results)


def _median_perplexity(documents: SplitDocuments, results: list[FitResult]) -> float:
    return _median(_perplexity(documents, result) for result in results)


def _median_coherence(documents: SplitDocuments, results: list[FitResult]) -> float:
    return _median(npmi(result.topics.words, documents.test).mean for result in results)


def _perplexity(documents: SplitDocuments, result: FitResult) -> float:
    return topics_perplexity(FittedTopics.of_result(result), documents.cut)


def _held_out(documents: SplitDocuments, result: FitResult) -> float:
    """Gain of topics over word frequencies on documents held out, in nats a word, as evidence has it of the others."""
    frequencies = result.topics.mean_words
    one_topic = FittedTopics(frequencies[None], np.ones(1), frequencies)
    frequency_perplexity = topics_perplexity(one_topic, documents.cut)
    return float(np.log(frequency_perplexity / _perplexity(documents, result)))


def _median(values: Iterator[float]) -> float:
    return round(float(np.median(list(values))), 4)


def _shuffled(k: int, words: tuple[str, ...]) -> TopicPrior:
    """The English table with its words in another order."""
    table = prior_mixtures.make_prior("english", k, words)
    order = np.random.default_rng(5).permutation(len(table.words))
    return replace(table, ratios=table.ratios[:, order], file_sha256="")


def _random(k: int, words: tuple[str, ...]) -> TopicPrior:
    ratios = np.exp(SPREAD * np.random.default_rng(6).standard_normal((k, len(words))))
    return TopicPrior("random", "nobody", words, np.clip(ratios, 1e-3, 1e3))


SECTIONS = {"useful": _useful, "useless": _useless, "seeds": _seeds, "sections": _sections}
