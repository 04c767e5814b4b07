"""What is said of topics, against documents held out: their words' coherence, and the gain on new documents.

Five sections. *words*: coherence (NPMI) of ten leading words, as they were chosen and as they are. *gains*: the gain
that evidence states for new documents, against the mean gain of documents held out. *table-gains*: the same beside a
table of public knowledge that the documents are asked about: the English one, and for Wikipedia's leads one of the
first corpus. *without-topics*: how often a gain is called better where documents are drawn from one word distribution.
*false-topics*: how often a topic has evidence there, over invented words, which needs no corpus.
"""

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

import dplda
from benchmarks.false_topics import rows_of_false_topics
from dplda.core.types import Counts
from dplda.corpus import Corpus, Label
from dplda.evaluation import npmi
from dplda.evaluation.relevance import choose_words, relevance
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.algorithm import fit_refined
from dplda.methods.refined.documents.documents import Documents
from dplda.methods.refined.documents.topic_scorer import TopicScorer
from dplda.methods.refined.plan.constants import BACKGROUND_SHARE
from dplda.methods.refined.prior.prior_mixtures import PriorLike, make_prior

DELTA, N_TOPICS, N_READ_WORDS = 1e-7, 10, 1000
FORMER_WEIGHT = 0.6
EPSILONS = (1.0, 3.0, 10.0)
SIZES = (1000, 2000)
MIN_HELD_OUT, MAX_HELD_OUT = 600, 6000
MANY = 8000  # documents of a large corpus, of which one draw is made
N_WITHOUT_TOPICS = 1000
N_FALSE_TOPICS = 5  # corpora of one setting without topics, for each draw
Row = dict[str, str | int | float | bool]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A fit of some documents of a corpus, and others.

    Attributes:
        result: the fit.
        others: word counts of documents that it did not read.
    """

    result: FitResult
    others: Counts


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which corpora, how many draws, and which sections."""
    parser.add_argument(
        "--corpus", dest="corpora", action="append", default=[], metavar="NAME=PATH"
    )
    parser.add_argument(
        "--draws",
        type=int,
        default=3,
        help="of documents and noise (3); five corpora of false-topics each",
    )
    parser.add_argument(
        "--only",
        choices=("words", "gains", "table-gains", "without-topics", "false-topics"),
        help="one section alone",
    )


def run(corpora: list[str], draws: int, only: str | None) -> Iterator[Row]:
    """Rows of each section, and what they come to."""
    sections = {
        "words": _words,
        "gains": _gains,
        "table-gains": _table_gains,
        "without-topics": _without_topics,
        "false-topics": lambda _, draws: rows_of_false_topics(N_FALSE_TOPICS * draws),
    }
    loaded = {}
    for given in corpora:
        name, _, path = given.partition("=")
        options = {"text": "text"} if path.endswith("jsonl.gz") else {}
        loaded[name] = dplda.load(path, label=Label.PUBLIC, n_words=N_READ_WORDS, **options)
    for section, measure in sections.items():
        if only in (None, section):
            for row in measure(loaded, draws):
                yield {"section": section} | row


def _part(
    corpus: Corpus, n_documents: int, epsilon: float, draw: int, table: PriorLike | None = None
) -> Part:
    """Fit so many random documents, alone or beside a table; others are held out."""
    number = hash_of(corpus.name, n_documents, round(10 * epsilon), draw)
    order = np.random.default_rng(number).permutation(corpus.n_documents)
    fitted, others = order[:n_documents], order[n_documents : n_documents + MAX_HELD_OUT]
    train = Corpus.from_counts(
        corpus.counts[np.sort(fitted)],
        vocabulary=corpus.vocabulary,
        label=Label.PUBLIC,
        name="part",
    )
    problem, budget = Problem(N_TOPICS, 1.0), Budget(epsilon, DELTA)
    prior = None if table is None else make_prior(table, N_TOPICS, corpus.vocabulary)
    result = fit_refined(train, problem, budget, Runtime(seed=number % 2**31), prior=prior)
    return Part(result, corpus.counts[np.sort(others)])


def hash_of(name: str, *numbers: int) -> int:
    """A seed of its own for each case, the same in every run."""
    return int(np.random.SeedSequence([*name.encode(), *numbers]).generate_state(1)[0])


def _words(loaded: dict[str, Corpus], draws: int) -> Iterator[Row]:
    """Coherence by how leading words are chosen; means over draws.

    It is judged on documents held out, and on all documents. Where few are held out, words that do not meet there by
    chance count as if they never met. That is against rarer words, which a relevance prefers.
    """
    for name, corpus in loaded.items():
        for n_documents in (1000, min(MANY, round(0.8 * corpus.n_documents))):
            for epsilon in (1.0, 3.0):
                values = np.mean(
                    [
                        _coherences(_part(corpus, n_documents, epsilon, n), corpus.counts)
                        for n in range(draws)
                    ],
                    axis=0,
                )
                by_probability, before, after, *on_all, shared = values.tolist()
                yield {
                    "corpus": name,
                    "N": n_documents,
                    "epsilon": epsilon,
                    "draws": draws,
                    "by probability": round(by_probability, 4),
                    "relevance .6": round(before, 4),
                    "now": round(after, 4),
                    "change, %": round(100 * (after / before - 1), 1),
                    "by probability, all documents": round(on_all[0], 4),
                    "relevance .6, all documents": round(on_all[1], 4),
                    "now, all documents": round(on_all[2], 4),
                    "words above": round(shared, 1),
                }


def _coherences(part: Part, all_documents: Counts) -> list[float]:
    """Mean coherence by probability, by the former relevance and as now, on documents held out and on all.

    The number of words above the topics comes last.
    """
    topics = part.result.topics
    chosen = choose_words(topics.words, topics.mean_words, part.result.evidence)
    former = relevance(topics.words, topics.mean_words, FORMER_WEIGHT)
    by_probability = relevance(topics.words, topics.mean_words, 1.0)
    scores = (by_probability, former, chosen.scores)
    means = [
        npmi(np.exp(each), documents).mean
        for documents in (part.others, all_documents)
        for each in scores
    ]
    return [*means, float(len(chosen.shared_words))]


def _gains(loaded: dict[str, Corpus], draws: int) -> Iterator[Row]:
    """A row for each fit: what is said of new documents, and what held-out ones gain."""
    rows = []
    for name, corpus in loaded.items():
        sizes = [size for size in SIZES if corpus.n_documents - size >= MIN_HELD_OUT]
        if corpus.n_documents - MANY >= MIN_HELD_OUT:
            sizes.append(MANY)
        for n_documents in sizes:
            for epsilon in EPSILONS:
                for draw in range(1 if n_documents == MANY else draws):
                    row = _gain_row(_part(corpus, n_documents, epsilon, draw))
                    rows.append({"corpus": name, "N": n_documents, "epsilon": epsilon} | row)
                    yield rows[-1]
    for label, chosen in (
        ("all", rows),
        ("called better", [row for row in rows if row["better"]]),
    ):
        yield {"section": "gains-total", "fits": label} | _summary(chosen)


def _table_gains(loaded: dict[str, Corpus], draws: int) -> Iterator[Row]:
    """A row for each fit beside a table, with what became of the table, and what they come to."""
    first_name, first_corpus = next(iter(loaded.items()))
    rows: list[Row] = []
    for name, corpus in loaded.items():
        is_source_of_english = name.startswith("wikipedia") and name != first_name
        table: PriorLike = first_corpus if is_source_of_english else "english"
        sizes = [size for size in SIZES if corpus.n_documents - size >= MIN_HELD_OUT]
        for n_documents in sizes:
            for epsilon in EPSILONS:
                for draw in range(draws):
                    part = _part(corpus, n_documents, epsilon, draw, table)
                    case: Row = {"corpus": name, "N": n_documents, "epsilon": epsilon}
                    rows.append(case | {"table": _fate_of_table(part.result)} | _gain_row(part))
                    yield rows[-1]
    chosen_rows = {
        "all": rows,
        "steps beside the table": [row for row in rows if row["table"] == "steps"],
        "the table's own topics": [row for row in rows if row["table"] == "alone"],
        "called better": [row for row in rows if row["better"]],
    }
    for label, chosen in chosen_rows.items():
        if chosen:
            yield {"section": "table-gains-total", "fits": label} | _summary(chosen)


def _fate_of_table(result: FitResult) -> str:
    """*refused* by the documents, *steps* made beside it, or its topics *alone*."""
    use = result.prior
    if use is None or not use.used:
        return "refused"
    return "steps" if use.stepped else "alone"


def _gain_row(part: Part) -> Row:
    evidence = part.result.evidence
    assert evidence is not None
    held_out, held_out_error = _gain_per_word(part.result, part.others)
    low, high = evidence.interval_of_new()
    stated, half_width = (low + high) / 2, (high - low) / 2
    standard_error = half_width / 1.6449
    excess_allowed = max(held_out / 3, 2 * standard_error)
    before = evidence.gain_per_word
    former_low, former_high = evidence.interval()
    former_error = (former_high - former_low) / 2 / 1.6449
    return {
        "held out": round(held_out, 5),
        "held out, error": round(held_out_error, 5),
        "before": round(before, 5),
        "before, half width": round((former_high - former_low) / 2, 5),
        "stated": round(stated, 5),
        "half width": round(half_width, 5),
        "within": low <= held_out <= high,
        "too high": stated - held_out > excess_allowed,
        "before within": former_low <= held_out <= former_high,
        "before too high": before - held_out > max(held_out / 3, 2 * former_error),
        "better": bool(evidence.is_better),
    }


def _gain_per_word(result: FitResult, counts: Counts) -> tuple[float, float]:
    """Mean gain a word of documents that were not fitted, and its standard error."""
    topics = result.topics
    scorer = TopicScorer(topics.words, topics.mean_words, topics.alpha, BACKGROUND_SHARE)
    gains = np.zeros(counts.shape[0])
    n_scored = 0.0
    for run_of_blocks in Documents(counts, N_TOPICS)._runs or ():
        for block in run_of_blocks:
            gains[block.document_ids] = scorer.score_block(block).gains
            n_scored += float(block.counts.sum()) / 2
    length = n_scored / len(gains)
    error = float(np.std(gains)) / math.sqrt(len(gains))
    return float(np.mean(gains)) / length, error / length


def _summary(rows: list[Row]) -> Row:
    def percent(key: str) -> float:
        return round(100 * float(np.mean([bool(row[key]) for row in rows])), 1)

    return {
        "cases": len(rows),
        "within, %": percent("within"),
        "too high, %": percent("too high"),
        "before: within, %": percent("before within"),
        "before: too high, %": percent("before too high"),
    }


def _without_topics(loaded: dict[str, Corpus], draws: int) -> Iterator[Row]:
    """How many corpora of one word distribution are called better, before and now."""
    for name, corpus in loaded.items():
        frequencies = np.asarray(corpus.counts.sum(axis=0), dtype=float).ravel()
        lengths = np.asarray(corpus.counts.sum(axis=1)).ravel()
        for epsilon in EPSILONS:
            n_corpora = 2 * draws + 1
            before = better = 0
            for draw in range(n_corpora):
                number = hash_of(name, 7, round(10 * epsilon), draw)
                rng = np.random.default_rng(number)
                drawn_lengths = np.minimum(rng.choice(lengths, N_WITHOUT_TOPICS), 200)
                counts = rng.multinomial(drawn_lengths, frequencies / frequencies.sum())
                flat = Corpus.from_counts(
                    csr_array(counts.astype(np.int32)), label=Label.SIMULATED, name="flat"
                )
                problem, budget = Problem(N_TOPICS, 1.0), Budget(epsilon, DELTA)
                evidence = fit_refined(flat, problem, budget, Runtime(number % 2**31)).evidence
                assert evidence is not None
                before += evidence.interval()[0] > 0
                better += bool(evidence.is_better)
            yield {
                "corpus": name,
                "epsilon": epsilon,
                "corpora": n_corpora,
                "before": before,
                "better": better,
            }
