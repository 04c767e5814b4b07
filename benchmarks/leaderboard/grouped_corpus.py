"""Documents with groups, and what topics and a noisy table of shares say of them.

A tenth of the documents is held out for perplexity. Signs of differences between groups are judged by topics that are
fitted to the same documents without noise, to which each method's topics are matched: of all pairs of groups whose
shares of such a topic differ by five points or more, how many does a method's table order the same way? Twelve noisy
tables are drawn for each. The word list is that of the documents for all methods, and costs nothing here.
"""

import math
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import dplda
from benchmarks.group_shares import ALPHA0, N_TOPICS, N_WORDS, Row
from dplda.core.types import Counts, Matrix, Vector
from dplda.corpus import Corpus, Label
from dplda.evaluation import hold_out
from dplda.evaluation.perplexity import completion_perplexity
from dplda.methods.refined.documents.noiseless import fit_noiseless
from dplda.methods.shares.document_topics import infer_document_topics
from dplda.methods.shares.groups import GroupAxis, Groups
from dplda.methods.shares.share_posterior import draw_share_tables
from dplda.methods.shares.share_table import GroupedDocuments, share_bound, sum_shares
from dplda.spectral.topics import Topics, match

TABLE_SHARE = 0.1  # of our μ²
N_TABLES = 12
LEAST_DIFFERENCE = 0.05
SURE = 0.95
N_STARTS = 3  # of fits without noise
N_PASSES = 40  # of each of these
UNIFORM_PART = 1e-3  # of a public topic, so that it gives every word a probability


@dataclass(frozen=True, slots=True, eq=False)
class GroupedCorpus:
    """Documents with their groups, and others held out.

    Attributes:
        train: to fit.
        test: counts of the documents held out.
        groups: of the table.
        rows: the table's row of every document to fit.
    """

    train: Corpus
    test: Counts
    groups: Groups
    rows: NDArray[np.intp]

    @classmethod
    def load(cls, corpus: Path, labels: Path) -> "GroupedCorpus":
        """Read documents and labels, and hold out a tenth."""
        documents = dplda.load(corpus, label=Label.PUBLIC, n_words=N_WORDS)
        names = labels.read_text("utf-8").splitlines()
        groups = Groups((GroupAxis(tuple(sorted(set(names)))),))
        parts = hold_out(documents, fraction=0.1, seed=0)
        is_train = np.ones(len(names), dtype=bool)
        is_train[parts.rows] = False
        return cls(parts.train, parts.test, groups, groups.rows_of([names])[is_train])

    @property
    def frequencies(self) -> Vector:
        """Frequency of every word without noise, (d,)."""
        totals = np.asarray(self.train.counts.sum(axis=0), dtype=float).ravel()
        return np.asarray(totals / totals.sum())

    def table(self, topics: Matrix) -> Matrix:
        """Shares of topics by group without noise, (G, k)."""
        alpha = np.full(len(topics), ALPHA0 / len(topics))
        shares = infer_document_topics(self.train.counts, topics, alpha)
        documents = GroupedDocuments(shares, self.rows, self.groups.n_rows)
        return np.asarray(sum_shares(documents, is_exact=False).value)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Contender:
    """Topics of one method, and what is left for the table.

    Attributes:
        method: its name.
        topics: (k, d).
        mean_words: word frequencies as the method knows them, (d,); None for those of its topics
            as often as its table has them.
        table_mu: μ of the table.
    """

    method: str
    topics: Matrix
    mean_words: Vector | None
    table_mu: float


def noisy_frequencies(corpus: Corpus, mu: float, seed: int) -> Vector:
    """Word frequencies with noise: documents' counts scaled to length 1 and summed, sensitivity √2."""
    norms = np.sqrt(np.asarray(corpus.counts.multiply(corpus.counts).sum(axis=1), dtype=float))
    weights = 1 / np.maximum(norms.ravel(), 1.0)
    total = np.asarray(corpus.counts.T @ weights)
    noise = np.random.default_rng(seed).normal(0, math.sqrt(2) / mu, total.shape)
    positive = np.maximum(total + noise, total.mean() * UNIFORM_PART)
    return np.asarray(positive / positive.sum())


def fit_public(corpus: Corpus) -> Matrix:
    """The best of some fits without noise, by perplexity on halves of the same documents, (k, d)."""
    totals = np.asarray(corpus.counts.sum(axis=0), dtype=float).ravel() + 0.01
    frequencies = totals / totals.sum()
    equal = np.tile(frequencies, (N_TOPICS, 1))
    start = replace(Topics.without_spectrum(equal, np.ones(N_TOPICS), frequencies), resolved=0)
    fit = partial(fit_noiseless, corpus, start, alpha0=ALPHA0, n_passes=N_PASSES)

    def perplexity(topics: Topics) -> float:
        return completion_perplexity(
            topics.words, topics.alpha, test=corpus.counts, mean_words=frequencies, seed=0
        )

    return min((fit(seed=seed) for seed in range(N_STARTS)), key=perplexity).words


def measure(
    documents: GroupedCorpus, contender: Contender, reference: Matrix, true_table: Matrix
) -> Row:
    """Perplexity of documents held out, and signs of differences between groups.

    Args:
        documents: to fit, with their groups, and those held out.
        contender: topics of one method, and μ of the table.
        reference: topics by which signs are judged, (k, d).
        true_table: shares of the reference's topics by group without noise, (G, k).

    Returns:
        ``perplexity``; ``signs_right``, the share of pairs ordered rightly; ``sure`` and ``sure_wrong``, the share of pairs
        said with 0.95 or more, and the wrong part of these; ``noise_std`` of the table.
    """
    table = documents.table(contender.topics)
    bound = share_bound(documents.train.n_documents, N_TOPICS)
    noise_std = bound.sensitivity(is_exact=False) / contender.table_mu
    order = match(reference, contender.topics)
    true_shares = _row_shares(true_table)
    counts = np.zeros(4)
    perplexities = []
    for seed in range(N_TABLES):
        noise = np.random.default_rng(seed).normal(0, noise_std, table.shape)
        draws = draw_share_tables(table + noise, noise_std, seed=seed)
        if seed == 0:
            overall = np.maximum((table + noise).sum(axis=0), noise_std)
            perplexities.append(_perplexity(documents, contender, overall / overall.sum()))
        counts += _count_signs(draws[:, :-1, order], true_shares)
    n_pairs, n_right, n_sure, n_sure_wrong = counts
    return {
        "perplexity": perplexities[0],
        "signs_right": n_right / n_pairs,
        "sure": n_sure / n_pairs,
        "sure_wrong": n_sure_wrong / max(n_sure, 1),
        "noise_std": noise_std,
    }


def _perplexity(documents: GroupedCorpus, contender: Contender, overall: Vector) -> float:
    """Document completion, with word frequencies by the noisy table where the method knows none."""
    mean_words = contender.mean_words
    if mean_words is None:
        mean_words = overall @ contender.topics
    return completion_perplexity(
        contender.topics,
        ALPHA0 * overall,
        test=documents.test[np.flatnonzero(documents.test.sum(axis=1) >= 2)],
        mean_words=mean_words,
        seed=0,
    )


def _row_shares(table: Matrix) -> Matrix:
    """Shares of the listed groups, (G - 1, k)."""
    group_rows = table[:-1]
    return np.asarray(group_rows / np.maximum(group_rows.sum(axis=1, keepdims=True), 1.0))


def _count_signs(draws: NDArray[np.float64], true_shares: Matrix) -> Vector:
    """Pairs of groups that truly differ; of these ordered rightly; said surely; surely and wrongly."""
    counts = np.zeros(4)
    for group in range(len(true_shares) - 1):
        difference = true_shares[group] - true_shares[group + 1 :]
        share_larger = np.mean(draws[:, [group]] > draws[:, group + 1 :], axis=0)
        truly_differs = np.abs(difference) >= LEAST_DIFFERENCE
        is_right = (share_larger > 0.5) == (difference > 0)
        is_sure = np.maximum(share_larger, 1 - share_larger) >= SURE
        counts += [
            np.sum(truly_differs),
            np.sum(truly_differs & is_right),
            np.sum(truly_differs & is_sure),
            np.sum(truly_differs & is_sure & ~is_right),
        ]
    return counts
