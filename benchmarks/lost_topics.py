"""Topics with evidence, perplexity and coherence with and without a table of public knowledge.

Documents alone, and beside a table that they are asked about, in a few draws of noise. A topic has evidence if null runs and
noise leave it some; null runs are shared by draws that took the same way. *Lost* are runs that keep fewer than half as many
topics with evidence as the documents alone have in the same draw, *fewer* those that keep fewer at all, *more* those that gain
some. Noise alone makes such differences: *fewer by noise* and *more by noise* compare the documents alone in each draw with the
documents alone in the next. *Lost beyond noise* is the difference of both, in percent of all runs: that many runs lose topics to
a table and not to noise. It is below 0 where a table makes topics steadier than noise does. *Sign test* is the two-sided chance that
as many runs beside a table have fewer, of all that differ, if a table changes nothing. Topics whose own words are known are
counted as themes on simulated messages, in place of perplexity and coherence. A tenth of the documents of a corpus is held out
for these.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.stats import binomtest

import dplda
from benchmarks.judged_documents import DELTA, N_READ_WORDS, Found, Judged, topics_perplexity
from dplda.corpus import Corpus, Label
from dplda.corpus.simulation.real_word_twin import RealWordTwin
from dplda.evaluation import npmi
from dplda.evaluation.themes import find_themes
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.prior.prior_mixtures import PriorLike, make_prior
from dplda.methods.refined.refined_methods import refined
from dplda.methods.refined.results.topic_evidence import GainDifference, NullResult

EPSILONS, N_NULL_RUNS = (1.0, 3.0), 8
SIZES = (1000, 2000, 3000)
LIST_LENGTHS = (300, 1000, 6000)
COUNTED = ("counted", "lost", "fewer", "more", "fewer by noise", "more by noise")
Row = dict[str, str | float | int]


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """Documents, a table for them, and how topics are judged.

    Attributes:
        name: as the results call it.
        corpus: documents to fit.
        problem: topics to find.
        table: public knowledge.
        judged: documents held out; None for simulated messages.
        themes: own words of the true themes of simulated messages.
    """

    name: str
    corpus: Corpus
    problem: Problem
    table: PriorLike
    judged: Judged | None = None
    themes: tuple[frozenset[str], ...] = ()

    def fit(self, epsilon: float, draw: int, *, has_table: bool) -> FitResult:
        """One run, with or without the table."""
        method = refined(prior=partial(make_prior, self.table) if has_table else None)
        return method.fit(self.corpus, self.problem, Budget(epsilon, DELTA), Runtime(draw))

    def judge(self, results: list[FitResult]) -> Row:
        """Medians of perplexity and coherence, or the mean number of themes."""
        if self.judged is None:
            found = [
                sum(find_themes(each.topics, self.corpus.vocabulary, self.themes))
                for each in results
            ]
            return {"themes": round(float(np.mean(found)), 1)}
        cut, test = self.judged.cut, self.judged.test
        topics = [each.topics for each in results]
        perplexities = [
            topics_perplexity(Found(each.words, each.alpha, each.mean_words), cut)
            for each in topics
        ]
        coherences = [npmi(each.words, test).mean for each in topics]
        return {
            "perplexity": round(float(np.median(perplexities)), 1),
            "npmi": round(float(np.median(coherences)), 3),
        }


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where the corpora lie, and how many draws."""
    for name in ("newsgroups", "ap", "wikipedia"):
        parser.add_argument(f"--{name}", required=True, help="path of this corpus")
    parser.add_argument("--draws", type=int, default=4, help="draws of noise of each setting")
    parser.add_argument("--whole", action="store_true", help="whole corpora too")


def run(newsgroups: str, ap: str, wikipedia: str, draws: int, whole: bool) -> Iterator[Row]:
    """A row for each setting and ε, and one for all of them."""
    read = partial(dplda.load, label=Label.PUBLIC, n_words=N_READ_WORDS)
    news = read(newsgroups)
    corpora = {
        "20 Newsgroups": news,
        "AP": read(ap),
        "Wikipedia leads": read(wikipedia, text="text"),
    }
    rows = []
    for setting in _settings(corpora, whole=whole):
        for epsilon in EPSILONS:
            rows.append(_row(setting, epsilon, draws))
            yield dict(rows[-1])
    runs = {"all": rows, "messages": [row for row in rows if "themes" in row]}
    runs["texts"] = [row for row in rows if "themes" not in row]
    for name, chosen in runs.items():
        totals = {key: sum(int(row[key]) for row in chosen) for key in COUNTED}
        n_different = totals["fewer"] + totals["more"]
        chance = binomtest(totals["fewer"], n_different).pvalue if n_different else 1.0
        excess = 100 * (totals["fewer"] - totals["fewer by noise"]) / max(1, totals["counted"])
        yield {
            "setting": name,
            "draws": draws,
            **totals,
            "lost beyond noise, %": round(excess, 1),
            "sign test": round(chance, 3),
        }


def _settings(corpora: dict[str, Corpus], *, whole: bool) -> Iterator[Setting]:
    for name, corpus in corpora.items():
        table = corpora["20 Newsgroups"] if name.startswith("Wikipedia") else "english"
        sizes = [size for size in SIZES if size < corpus.n_documents]
        for size in (*sizes, corpus.n_documents) if whole else sizes:
            judged = Judged.of(_part(corpus, size))
            yield Setting(f"{name}, {size:,}", judged.corpus, judged.problem, table, judged)
    for size in SIZES:
        for n_words in LIST_LENGTHS:
            yield _messages(size, n_words)


def _messages(n_documents: int, n_words: int) -> Setting:
    """Messages of 22 words on six themes of a newspaper, over a list of so many words."""
    twin = RealWordTwin(
        n_rows=n_documents,
        n_words=n_words,
        n_topics=6,
        alpha0=0.1,
        mean_length=22,
        documents_per_row=1.0,
        common_share=0.4,
        seed=1,
    )
    themes = tuple(frozenset(theme.words) for theme in twin.themes)
    name = f"messages, {n_documents:,}, {n_words:,} words"
    return Setting(name, twin.draw(), Problem(6, 0.1), "english", themes=themes)


def _part(corpus: Corpus, n_documents: int) -> Corpus:
    if n_documents >= corpus.n_documents:
        return corpus
    rng = np.random.default_rng(0)
    rows = np.sort(rng.choice(corpus.n_documents, n_documents, replace=False))
    return replace(corpus, counts=corpus.counts[rows], intake=None)


def _row(setting: Setting, epsilon: float, draws: int) -> Row:
    alone = [setting.fit(epsilon, draw, has_table=False) for draw in range(draws)]
    beside = [setting.fit(epsilon, draw, has_table=True) for draw in range(draws)]
    evidence_alone, evidence_beside = _n_supported(alone), _n_supported(beside)
    next_draws = evidence_alone[1:] + evidence_alone[:1]
    pairs = _pairs_with_evidence(evidence_alone, evidence_beside)
    pairs_by_noise = _pairs_with_evidence(evidence_alone, next_draws)
    uses = [each.prior for each in beside if each.prior is not None]
    with_table = {f"{key} with table": value for key, value in setting.judge(beside).items()}
    return {
        "setting": setting.name,
        "epsilon": epsilon,
        **setting.judge(alone),
        **with_table,
        "evidence": round(float(np.mean(evidence_alone)), 2),
        "evidence with table": round(float(np.mean(evidence_beside)), 2),
        "used": sum(use.used for use in uses),
        "table alone": sum(use.used and not use.stepped for use in uses),
        "draws": draws,
        "counted": len(pairs),
        "lost": sum(kept < found / 2 for found, kept in pairs),
        "fewer": sum(kept < found for found, kept in pairs),
        "more": sum(kept > found for found, kept in pairs),
        "fewer by noise": sum(kept < found for found, kept in pairs_by_noise),
        "more by noise": sum(kept > found for found, kept in pairs_by_noise),
    }


def _pairs_with_evidence(alone: list[int], others: list[int]) -> list[tuple[int, int]]:
    """Numbers of topics with evidence in two runs each, of which the first has some."""
    return [pair for pair in zip(alone, others, strict=True) if pair[0]]


def _n_supported(results: list[FitResult]) -> list[int]:
    """Numbers of topics with evidence; null runs are shared by runs that took the same way."""
    known: dict[tuple[bool, bool] | None, tuple[NullResult, ...]] = {}
    numbers = []
    for result in results:
        evidence = result.evidence
        assert evidence is not None
        way = None if result.prior is None else (result.prior.used, result.prior.stepped)
        if way not in known:
            known[way] = tuple(map(evidence.null_run, range(N_NULL_RUNS)))
        compared = replace(
            evidence,
            known_null_runs=known[way],
            optimism_run=lambda _: GainDifference(0.0, 0.0),
        )
        numbers.append(len(compared.compare().supported_topics))
    return numbers
