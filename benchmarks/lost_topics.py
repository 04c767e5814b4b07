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
from benchmarks.judged_documents import (
    DELTA,
    N_READ_WORDS,
    FittedTopics,
    SplitDocuments,
    topics_perplexity,
)
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

EPSILONS = (1.0, 3.0)
N_NULL_RUNS = 8
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
        documents: documents to fit and held out; None for simulated messages.
        themes: own words of the true themes of simulated messages.
    """

    name: str
    corpus: Corpus
    problem: Problem
    table: PriorLike
    documents: SplitDocuments | None = None
    themes: tuple[frozenset[str], ...] = ()

    def fit(self, epsilon: float, draw: int, *, has_table: bool) -> FitResult:
        """One run, with or without the table."""
        method = refined(prior=partial(make_prior, self.table) if has_table else None)
        return method.fit(self.corpus, self.problem, Budget(epsilon, DELTA), Runtime(draw))

    def judge(self, results: list[FitResult]) -> Row:
        """Medians of perplexity and coherence, or the mean number of themes."""
        if self.documents is None:
            n_themes = [
                sum(find_themes(result.topics, self.corpus.vocabulary, self.themes))
                for result in results
            ]
            return {"themes": round(float(np.mean(n_themes)), 1)}
        cut = self.documents.cut
        perplexities = [
            topics_perplexity(FittedTopics.of_result(result), cut) for result in results
        ]
        coherences = [npmi(result.topics.words, self.documents.test).mean for result in results]
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
    """A row for each setting and ε, and one for all of them.

    Args:
        newsgroups: path of 20 Newsgroups.
        ap: path of Associated Press.
        wikipedia: path of Wikipedia's leads.
        draws: of noise, for each setting.
        whole: whether whole corpora are fitted, too.
    """
    load_corpus = partial(dplda.load, label=Label.PUBLIC, n_words=N_READ_WORDS)
    corpora = {
        "20 Newsgroups": load_corpus(newsgroups),
        "AP": load_corpus(ap),
        "Wikipedia leads": load_corpus(wikipedia, text="text"),
    }
    rows = []
    for setting in _settings(corpora, with_all_documents=whole):
        for epsilon in EPSILONS:
            rows.append(_row(setting, epsilon, draws))
            yield dict(rows[-1])
    rows_by_title = {
        "all": rows,
        "messages": [row for row in rows if "themes" in row],
        "texts": [row for row in rows if "themes" not in row],
    }
    for title, counted_rows in rows_by_title.items():
        yield {"setting": title, "draws": draws, **_totals(counted_rows)}


def _totals(rows: list[Row]) -> Row:
    """Sums over settings, runs that a table loses beyond noise, and the sign test."""
    totals = {key: sum(int(row[key]) for row in rows) for key in COUNTED}
    n_different = totals["fewer"] + totals["more"]
    chance = 1.0
    if n_different:
        chance = binomtest(totals["fewer"], n_different).pvalue
    excess = 100 * (totals["fewer"] - totals["fewer by noise"]) / max(1, totals["counted"])
    return {
        **totals,
        "lost beyond noise, %": round(excess, 1),
        "sign test": round(chance, 3),
    }


def _settings(corpora: dict[str, Corpus], *, with_all_documents: bool) -> Iterator[Setting]:
    """Parts of each corpus, then simulated messages."""
    for name, corpus in corpora.items():
        table = corpora["20 Newsgroups"] if name.startswith("Wikipedia") else "english"
        sizes = [size for size in SIZES if size < corpus.n_documents]
        if with_all_documents:
            sizes.append(corpus.n_documents)
        for size in sizes:
            documents = SplitDocuments.split(_part(corpus, size))
            yield Setting(
                f"{name}, {size:,}", documents.corpus, documents.problem, table, documents
            )
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
    """Random documents of a corpus, always the same ones."""
    if n_documents >= corpus.n_documents:
        return corpus
    rng = np.random.default_rng(0)
    rows = np.sort(rng.choice(corpus.n_documents, n_documents, replace=False))
    return replace(corpus, counts=corpus.counts[rows], intake=None)


def _row(setting: Setting, epsilon: float, draws: int) -> Row:
    """Fits with and without the table, and how many topics with evidence each has."""
    plain_results = [setting.fit(epsilon, draw, has_table=False) for draw in range(draws)]
    table_results = [setting.fit(epsilon, draw, has_table=True) for draw in range(draws)]
    n_plain = _n_supported(plain_results)
    n_with_table = _n_supported(table_results)
    n_next_draw = n_plain[1:] + n_plain[:1]
    pairs = _pairs_with_evidence(n_plain, n_with_table)
    pairs_by_noise = _pairs_with_evidence(n_plain, n_next_draw)
    uses = [result.prior for result in table_results if result.prior is not None]
    judged_with_table = setting.judge(table_results)
    return {
        "setting": setting.name,
        "epsilon": epsilon,
        **setting.judge(plain_results),
        **{f"{key} with table": value for key, value in judged_with_table.items()},
        "evidence": round(float(np.mean(n_plain)), 2),
        "evidence with table": round(float(np.mean(n_with_table)), 2),
        "used": sum(use.used for use in uses),
        "table alone": sum(use.used and not use.stepped for use in uses),
        "draws": draws,
        "counted": len(pairs),
        "lost": sum(n_second < n_first / 2 for n_first, n_second in pairs),
        "fewer": sum(n_second < n_first for n_first, n_second in pairs),
        "more": sum(n_second > n_first for n_first, n_second in pairs),
        "fewer by noise": sum(n_second < n_first for n_first, n_second in pairs_by_noise),
        "more by noise": sum(n_second > n_first for n_first, n_second in pairs_by_noise),
    }


def _pairs_with_evidence(n_first: list[int], n_second: list[int]) -> list[tuple[int, int]]:
    """Numbers of topics with evidence in two runs each, of which the first has some."""
    return [pair for pair in zip(n_first, n_second, strict=True) if pair[0]]


def _n_supported(results: list[FitResult]) -> list[int]:
    """Numbers of topics with evidence; null runs are shared by runs that took the same way."""
    null_runs_by_use: dict[tuple[bool, bool] | None, tuple[NullResult, ...]] = {}
    numbers = []
    for result in results:
        evidence = result.evidence
        assert evidence is not None
        use_of_prior = None
        if result.prior is not None:
            use_of_prior = (result.prior.used, result.prior.stepped)
        if use_of_prior not in null_runs_by_use:
            null_runs = tuple(map(evidence.null_run, range(N_NULL_RUNS)))
            null_runs_by_use[use_of_prior] = null_runs
        compared_evidence = replace(
            evidence,
            known_null_runs=null_runs_by_use[use_of_prior],
            optimism_run=lambda _: GainDifference(0.0, 0.0),
        )
        numbers.append(len(compared_evidence.compare().supported_topics))
    return numbers
