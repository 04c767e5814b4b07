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
from itertools import product

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

DELTA = 1e-7
N_TOPICS = 10
N_READ_WORDS = 1000
FORMER_WEIGHT = 0.6
EPSILONS = (1.0, 3.0, 10.0)
SIZES = (1000, 2000)
MIN_HELD_OUT = 600
MAX_HELD_OUT = 6000
MANY = 8000  # documents of a large corpus, of which one draw is made
N_WITHOUT_TOPICS = 1000
NORMAL_95 = 1.6449  # quantile of the normal distribution at 95 %
N_FALSE_TOPICS = 5  # corpora of one setting without topics, for each draw
Row = dict[str, str | int | float | bool]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A fit of some documents of a corpus, and others.

    Attributes:
        result: the fit.
        held_out_counts: word counts of documents that it did not read.
    """

    result: FitResult
    held_out_counts: Counts


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
    """Rows of each section, and what they come to.

    Args:
        corpora: ``NAME=PATH`` of each; a path that ends in ``jsonl.gz`` has its documents under ``text``.
        draws: of documents and noise, for each setting.
        only: one section; None for all.
    """
    sections = {
        "words": _words,
        "gains": _gains,
        "table-gains": _table_gains,
        "without-topics": _without_topics,
        "false-topics": lambda _, draws: rows_of_false_topics(N_FALSE_TOPICS * draws),
    }
    corpus_by_name = {}
    for name_and_path in corpora:
        name, _, path = name_and_path.partition("=")
        options = {"text": "text"} if path.endswith("jsonl.gz") else {}
        corpus_by_name[name] = dplda.load(path, label=Label.PUBLIC, n_words=N_READ_WORDS, **options)
    for section, measure in sections.items():
        if only in (None, section):
            for row in measure(corpus_by_name, draws):
                yield {"section": section} | row


def _fit_part(
    corpus: Corpus,
    n_documents: int,
    epsilon: float,
    draw: int,
    prior_source: PriorLike | None = None,
) -> Part:
    """Fit so many random documents, alone or beside a table; others are held out."""
    seed = seed_of(corpus.name, n_documents, round(10 * epsilon), draw)
    order = np.random.default_rng(seed).permutation(corpus.n_documents)
    fitted_ids = np.sort(order[:n_documents])
    held_out_ids = np.sort(order[n_documents : n_documents + MAX_HELD_OUT])
    train = Corpus.from_counts(
        corpus.counts[fitted_ids], vocabulary=corpus.vocabulary, label=Label.PUBLIC, name="part"
    )
    prior = None
    if prior_source is not None:
        prior = make_prior(prior_source, N_TOPICS, corpus.vocabulary)
    problem = Problem(N_TOPICS, 1.0)
    budget = Budget(epsilon, DELTA)
    result = fit_refined(train, problem, budget, Runtime(seed=seed % 2**31), prior=prior)
    return Part(result, corpus.counts[held_out_ids])


def seed_of(name: str, *numbers: int) -> int:
    """A seed of its own for each case, the same in every run."""
    return int(np.random.SeedSequence([*name.encode(), *numbers]).generate_state(1)[0])


def _words(corpora: dict[str, Corpus], draws: int) -> Iterator[Row]:
    """Coherence by how leading words are chosen; means over draws.

    It is judged on documents held out, and on all documents. Where few are held out, words that do not meet there by
    chance count as if they never met. That is against rarer words, which a relevance prefers.
    """
    for name, corpus in corpora.items():
        for n_documents in (1000, min(MANY, round(0.8 * corpus.n_documents))):
            for epsilon in (1.0, 3.0):
                parts = (_fit_part(corpus, n_documents, epsilon, draw) for draw in range(draws))
                coherences = [_coherences(part, corpus.counts) for part in parts]
                means = np.mean(coherences, axis=0).tolist()
                by_probability, former, current, *on_all_documents, n_shared_words = means
                yield {
                    "corpus": name,
                    "N": n_documents,
                    "epsilon": epsilon,
                    "draws": draws,
                    "by probability": round(by_probability, 4),
                    "relevance .6": round(former, 4),
                    "now": round(current, 4),
                    "change, %": round(100 * (current / former - 1), 1),
                    "by probability, all documents": round(on_all_documents[0], 4),
                    "relevance .6, all documents": round(on_all_documents[1], 4),
                    "now, all documents": round(on_all_documents[2], 4),
                    "words above": round(n_shared_words, 1),
                }


def _coherences(part: Part, all_documents: Counts) -> list[float]:
    """Mean coherence by probability, by the former relevance and as now, on documents held out and on all.

    The number of words above the topics comes last.
    """
    topics = part.result.topics
    chosen_words = choose_words(topics.words, topics.mean_words, part.result.evidence)
    former = relevance(topics.words, topics.mean_words, FORMER_WEIGHT)
    by_probability = relevance(topics.words, topics.mean_words, 1.0)
    scores = (by_probability, former, chosen_words.scores)
    means = [
        npmi(np.exp(word_scores), documents).mean
        for documents in (part.held_out_counts, all_documents)
        for word_scores in scores
    ]
    return [*means, float(len(chosen_words.shared_words))]


def _gains(corpora: dict[str, Corpus], draws: int) -> Iterator[Row]:
    """A row for each fit: what is said of new documents, and what held-out ones gain."""
    rows = []
    for name, corpus in corpora.items():
        sizes = _sizes_of(corpus)
        if corpus.n_documents - MANY >= MIN_HELD_OUT:
            sizes.append(MANY)
        for n_documents in sizes:
            n_draws = 1 if n_documents == MANY else draws
            for epsilon, draw in product(EPSILONS, range(n_draws)):
                row = _gain_row(_fit_part(corpus, n_documents, epsilon, draw))
                rows.append({"corpus": name, "N": n_documents, "epsilon": epsilon} | row)
                yield rows[-1]
    better_rows = [row for row in rows if row["better"]]
    for title, counted_rows in (("all", rows), ("called better", better_rows)):
        yield {"section": "gains-total", "fits": title} | _summary(counted_rows)


def _sizes_of(corpus: Corpus) -> list[int]:
    """Numbers of documents to fit that leave enough to hold out."""
    return [size for size in SIZES if corpus.n_documents - size >= MIN_HELD_OUT]


def _table_gains(corpora: dict[str, Corpus], draws: int) -> Iterator[Row]:
    """A row for each fit beside a table, with what became of the table, and what they come to."""
    first_name, first_corpus = next(iter(corpora.items()))
    rows: list[Row] = []
    for name, corpus in corpora.items():
        is_source_of_english = name.startswith("wikipedia") and name != first_name
        prior_source: PriorLike = first_corpus if is_source_of_english else "english"
        for n_documents, epsilon, draw in product(_sizes_of(corpus), EPSILONS, range(draws)):
            part = _fit_part(corpus, n_documents, epsilon, draw, prior_source)
            case: Row = {"corpus": name, "N": n_documents, "epsilon": epsilon}
            rows.append(case | {"table": _fate_of_table(part.result)} | _gain_row(part))
            yield rows[-1]
    rows_by_title = {
        "all": rows,
        "steps beside the table": [row for row in rows if row["table"] == "steps"],
        "the table's own topics": [row for row in rows if row["table"] == "alone"],
        "called better": [row for row in rows if row["better"]],
    }
    for title, counted_rows in rows_by_title.items():
        if counted_rows:
            yield {"section": "table-gains-total", "fits": title} | _summary(counted_rows)


def _fate_of_table(result: FitResult) -> str:
    """*refused* by the documents, *steps* made beside it, or its topics *alone*."""
    use = result.prior
    if use is None or not use.used:
        return "refused"
    return "steps" if use.stepped else "alone"


def _gain_row(part: Part) -> Row:
    """The gain that evidence states now and stated once, against that of documents held out."""
    evidence = part.result.evidence
    assert evidence is not None
    held_out_gain, held_out_error = _gain_per_word(part.result, part.held_out_counts)
    low, high = evidence.interval_of_new()
    stated_gain = (low + high) / 2
    former_gain = evidence.gain_per_word
    former_low, former_high = evidence.interval()
    return {
        "held out": round(held_out_gain, 5),
        "held out, error": round(held_out_error, 5),
        "before": round(former_gain, 5),
        "before, half width": round((former_high - former_low) / 2, 5),
        "stated": round(stated_gain, 5),
        "half width": round((high - low) / 2, 5),
        "within": low <= held_out_gain <= high,
        "too high": _is_too_high(stated_gain, held_out_gain, high - low),
        "before within": former_low <= held_out_gain <= former_high,
        "before too high": _is_too_high(former_gain, held_out_gain, former_high - former_low),
        "better": bool(evidence.is_better),
    }


def _is_too_high(stated_gain: float, held_out_gain: float, width: float) -> bool:
    """Whether a gain exceeds the held-out one by more than a third of it and two standard errors.

    Args:
        stated_gain: nats a word.
        held_out_gain: nats a word.
        width: of the interval of the stated gain, between its quantiles of 5 % and 95 %.
    """
    standard_error = width / 2 / NORMAL_95
    return stated_gain - held_out_gain > max(held_out_gain / 3, 2 * standard_error)


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
    """Percent of fits whose held-out gain is within the interval, and whose stated gain is too high."""

    def percent(key: str) -> float:
        return round(100 * float(np.mean([bool(row[key]) for row in rows])), 1)

    return {
        "cases": len(rows),
        "within, %": percent("within"),
        "too high, %": percent("too high"),
        "before: within, %": percent("before within"),
        "before: too high, %": percent("before too high"),
    }


def _without_topics(corpora: dict[str, Corpus], draws: int) -> Iterator[Row]:
    """Counts of corpora of one word distribution that are called better, by the former rule and now."""
    problem = Problem(N_TOPICS, 1.0)
    n_corpora = 2 * draws + 1
    for name, corpus in corpora.items():
        frequencies = np.asarray(corpus.counts.sum(axis=0), dtype=float).ravel()
        lengths = np.asarray(corpus.counts.sum(axis=1)).ravel()
        for epsilon in EPSILONS:
            n_better_before = 0
            n_better = 0
            for draw in range(n_corpora):
                seed = seed_of(name, 7, round(10 * epsilon), draw)
                rng = np.random.default_rng(seed)
                drawn_lengths = np.minimum(rng.choice(lengths, N_WITHOUT_TOPICS), 200)
                counts = rng.multinomial(drawn_lengths, frequencies / frequencies.sum())
                without_topics = Corpus.from_counts(
                    csr_array(counts.astype(np.int32)), label=Label.SIMULATED, name="flat"
                )
                budget = Budget(epsilon, DELTA)
                result = fit_refined(without_topics, problem, budget, Runtime(seed % 2**31))
                evidence = result.evidence
                assert evidence is not None
                n_better_before += evidence.interval()[0] > 0
                n_better += bool(evidence.is_better)
            yield {
                "corpus": name,
                "epsilon": epsilon,
                "corpora": n_corpora,
                "before": n_better_before,
                "better": n_better,
            }
