"""Topic shares by group on real text: errors of noisy tables, and whether they are as sure as they say.

Needs a corpus with a label for each document, such as 20 Newsgroups as a bag of words beside a file of labels, one a
line:

    python -m benchmarks group-shares --corpus 20ng/docword.txt.gz --labels 20ng/labels.txt

Topics are released once, at ε = 1. Every table is compared with the one without noise, so errors are those of the
table's noise alone. *Raw* shares are cells over row sums, as the noisy table has them; *modelled* ones are means of the
hierarchical model's draws.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import dplda
from dplda.core.types import Matrix, Tensor3
from dplda.corpus import Label
from dplda.methods.shares.document_topics import infer_document_topics
from dplda.methods.shares.groups import GroupAxis, Groups
from dplda.methods.shares.share_posterior import draw_share_tables, group_sizes
from dplda.methods.shares.share_table import GroupedDocuments, share_bound, sum_shares
from dplda.privacy.accounting import gaussian

N_WORDS = 2_000
N_TOPICS = 10
ALPHA0 = 0.5
TOPICS_EPSILON = 1.0
EPSILONS = (0.1, 0.3, 1.0)
DELTA = 1e-7
N_TABLES = 25
CONFIDENCE_BINS = ((0.85, 0.93), (0.93, 0.97), (0.97, 0.995))  # of comparisons, in bins

Row = dict[str, str | int | float]


@dataclass(slots=True)
class Tally:
    """Errors and coverage over noisy tables, and how often comparisons are right.

    Attributes:
        raw_errors: mean distance of raw noisy shares, of each table.
        errors: the same of modelled ones.
        holds: part of the ranges of 90 % that hold, of each table.
        right: whether each comparison is true, by how sure it is.
    """

    raw_errors: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    holds: list[float] = field(default_factory=list)
    right: dict[tuple[float, float], list[bool]] = field(
        default_factory=lambda: {limits: [] for limits in CONFIDENCE_BINS}
    )

    def add(self, raw: Matrix, draws: Tensor3, shares: Matrix) -> None:
        """Compare a table's raw shares and possible tables with other shares.

        Args:
            raw: shares as the noisy table has them, (G, k).
            draws: possible shares by the hierarchical model, (number of draws, G, k).
            shares: right ones, (G, k).
        """
        low, high = np.quantile(draws, [0.05, 0.95], axis=0)
        self.raw_errors.append(float(np.abs(raw - shares).mean()))
        self.errors.append(float(np.abs(draws.mean(axis=0) - shares).mean()))
        self.holds.append(float(np.mean((low <= shares) & (shares <= high))))
        for group in range(len(shares) - 1):
            differences = draws[:, [group]] - draws[:, group + 1 :]
            probability = np.mean((1 + np.sign(differences)) / 2, axis=0)  # ties count half
            is_larger = shares[group] > shares[group + 1 :]
            confidence = np.maximum(probability, 1 - probability)
            is_right = np.where(probability >= 0.5, is_larger, ~is_larger)
            for low_end, high_end in CONFIDENCE_BINS:
                is_in_bin = (confidence >= low_end) & (confidence < high_end)
                self.right[low_end, high_end] += is_right[is_in_bin].tolist()

    def row(self) -> Row:
        """Means over tables: errors in points, coverage, and true comparisons."""
        row: Row = {
            "raw_error_points": round(100 * float(np.mean(self.raw_errors)), 2),
            "modelled_error_points": round(100 * float(np.mean(self.errors)), 2),
            "ranges_of_90_hold": round(float(np.mean(self.holds)), 3),
        }
        for low_end, high_end in CONFIDENCE_BINS:
            right = self.right[low_end, high_end]
            share_right = round(float(np.mean(right)), 3) if right else float("nan")
            row[f"said_{(low_end + high_end) / 2:.2f}_true"] = share_right
        return row


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where the documents and their labels are."""
    parser.add_argument("--corpus", type=Path, required=True, help="a bag of words")
    parser.add_argument("--labels", type=Path, required=True, help="a label for each document")


def run(corpus: Path, labels: Path) -> Iterator[Row]:
    """One row for each ε of a table."""
    documents = dplda.load(corpus, label=Label.PUBLIC, n_words=N_WORDS)
    names = labels.read_text("utf-8").splitlines()
    model = dplda.RefinedLDA(N_TOPICS, alpha0=ALPHA0, epsilon=TOPICS_EPSILON).fit(documents)
    groups = Groups((GroupAxis(tuple(sorted(set(names)))),))
    grouped = GroupedDocuments(
        infer_document_topics(documents.counts, model.components_, model.alpha_),
        groups.rows_of([names]),
        groups.n_rows,
    )
    table = np.asarray(sum_shares(grouped, is_exact=False).value)
    for epsilon in EPSILONS:
        mu = gaussian.mu_for(epsilon, DELTA)
        bound = share_bound(documents.n_documents, N_TOPICS)
        yield {
            "documents": documents.n_documents,
            "groups": groups.n_rows - 1,
            "smallest_group": int(table[:-1].sum(axis=1).min()),
            "epsilon": epsilon,
            **_compare(table, bound.sensitivity(is_exact=False) / mu),
        }


def _compare(table: Matrix, noise_std: float) -> Row:
    """Compare many noisy tables with the one without noise, but for the row of documents without a group."""
    shares = (table / np.maximum(table.sum(axis=1, keepdims=True), 1.0))[:-1]
    generator = np.random.default_rng(0)
    tally = Tally()
    for seed in range(N_TABLES):
        noisy_table = table + generator.normal(0, noise_std, table.shape)
        draws = draw_share_tables(noisy_table, noise_std, seed=seed)[:, :-1]
        raw_shares = (noisy_table / group_sizes(noisy_table, noise_std)[:, None])[:-1]
        tally.add(raw_shares, draws, shares)
    return tally.row()
