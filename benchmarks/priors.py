"""What tables of public knowledge change: useful ones, useless ones, seed words; and whether evidence agrees.

Perplexity and NPMI are of documents held out, a tenth; draws with and without a table have the same noise. Public text
is Wikipedia's leads (the English table), and 20 Newsgroups for these. Seeds are five words for each of ten themes.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

import dplda
from benchmarks.judged_documents import (
    DELTA,
    N_READ_WORDS,
    PROBLEM,
    Found,
    Judged,
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

EPSILONS, DRAWS = (0.1, 0.3, 0.5, 1.0, 3.0, 10.0), 5
ASKED, MANY = (0.3, 1.0, 3.0, 10.0), 10  # of useless tables
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
    """A row for each corpus, table and ε."""
    read = partial(dplda.load, label=Label.PUBLIC, n_words=N_READ_WORDS)
    news, leads = read(newsgroups), read(wikipedia, text="text")
    texts = {
        "20 Newsgroups": news,
        "AP": read(ap),
        "Wikipedia leads": leads,
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
        judged, table = (
            Judged.of(corpus),
            texts["20 Newsgroups"] if name.startswith("Wikipedia") else "english",
        )
        for epsilon in EPSILONS:
            plain = [_fitted(judged, epsilon, draw) for draw in range(DRAWS)]
            helped = [
                _fitted(judged, epsilon, draw, partial(prior_mixtures.make_prior, table))
                for draw in range(DRAWS)
            ]
            yield {
                "setting": name,
                "epsilon": epsilon,
                "perplexity": _median(_perplexity(judged, one) for one in plain),
                "npmi": _median(npmi(one.topics.words, judged.test).mean for one in plain),
                "with_table": _median(_perplexity(judged, one) for one in helped),
                "npmi_with_table": _median(
                    npmi(one.topics.words, judged.test).mean for one in helped
                ),
                "let_in": sum(one.prior is not None and one.prior.used for one in helped),
                "gain": _median(one.evidence.gain_per_word for one in plain),
                "reach": _median(
                    one.evidence.interval(0.95)[1] - one.evidence.gain_per_word for one in plain
                ),
                "gain_held_out": _median(_held_out(judged, one) for one in plain),
                "n_documents": judged.corpus.n_documents,
            }


def _useless(texts: dict[str, Corpus]) -> Iterator[Row]:
    """Tables that say nothing about a corpus: how often they are let in, and what they cost."""
    for name, corpus in texts.items():
        judged = Judged.of(corpus)
        other = texts["AP" if name == "Python docstrings" else "Python docstrings"]
        for kind, prior in (
            ("shuffled words", _shuffled),
            ("random ratios", _random),
            ("another's", other),
        ):
            of = prior if callable(prior) else partial(prior_mixtures.make_prior, prior)
            for epsilon in ASKED:
                pairs = [
                    (_fitted(judged, epsilon, s), _fitted(judged, epsilon, s, of))
                    for s in range(MANY)
                ]
                costs = [np.log(_perplexity(judged, b) / _perplexity(judged, a)) for a, b in pairs]
                yield {
                    "setting": name,
                    "table": kind,
                    "epsilon": epsilon,
                    "draws": MANY,
                    "let_in": sum(b.prior is not None and b.prior.used for _, b in pairs),
                    "cost_percent": round(100 * float(np.expm1(np.mean(costs))), 2),
                }


def _seeds(texts: dict[str, Corpus]) -> Iterator[Row]:
    """Ten themes on 20 Newsgroups."""
    judged, themes = (
        Judged.of(texts["20 Newsgroups"]),
        {theme: words.split() for theme, words in SEEDS.items()},
    )
    for epsilon in (0.3, 1.0):
        found = [
            _fitted(judged, epsilon, draw, partial(prior_mixtures.make_prior, themes))
            for draw in range(DRAWS)
        ]
        used = sum(one.prior is not None and one.prior.used for one in found)
        yield {
            "epsilon": epsilon,
            "perplexity": _median(_perplexity(judged, one) for one in found),
            "let_in": used,
        }


def _sections(texts: dict[str, Corpus]) -> Iterator[Row]:
    """A newspaper's six sections asked for as ten: how many carry the gain, draw by draw."""
    corpus = SIX.draw()
    found = [
        refined().fit(corpus, Problem(10, 1.0), Budget(1.0, DELTA), Runtime(draw))
        for draw in range(MANY)
    ]
    shared = found[0].evidence.null_runs
    for draw, one in enumerate(found):
        evidence = replace(one.evidence, known_null_runs=shared)
        yield {
            "draw": draw,
            "better": evidence.is_significant,
            "carry": evidence.n_supported_topics,
        }


def _part(corpus: Corpus, n: int) -> Corpus:
    kept = np.sort(np.random.default_rng(0).choice(corpus.n_documents, n, replace=False))
    return replace(corpus, counts=corpus.counts[kept], intake=None)


def _fitted(judged: Judged, epsilon: float, draw: int, prior: PriorOf | None = None) -> FitResult:
    return refined(prior=prior).fit(judged.corpus, PROBLEM, Budget(epsilon, DELTA), Runtime(draw))


def _perplexity(judged: Judged, one: FitResult) -> float:
    return topics_perplexity(
        Found(one.topics.words, one.topics.alpha, one.topics.mean_words), judged.cut
    )


def _held_out(judged: Judged, one: FitResult) -> float:
    """Gain of topics over word frequencies on documents held out, in nats a word, as evidence has it of the others."""
    flat = Found(one.topics.mean_words[None], np.ones(1), one.topics.mean_words)
    return float(np.log(topics_perplexity(flat, judged.cut) / _perplexity(judged, one)))


def _median(values: Iterator[float]) -> float:
    return round(float(np.median(list(values))), 4)


def _shuffled(k: int, words: tuple[str, ...]) -> TopicPrior:
    table, order = prior_mixtures.make_prior("english", k, words), np.random.default_rng(5)
    return replace(
        table, ratios=table.ratios[:, order.permutation(len(table.words))], file_sha256=""
    )


def _random(k: int, words: tuple[str, ...]) -> TopicPrior:
    ratios = np.exp(SPREAD * np.random.default_rng(6).standard_normal((k, len(words))))
    return TopicPrior("random", "nobody", words, np.clip(ratios, 1e-3, 1e3))


SECTIONS = {"useful": _useful, "useless": _useless, "seeds": _seeds, "sections": _sections}
