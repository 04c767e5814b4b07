"""The leaderboard: our numbers, those of others, and what others need to measure theirs.

python -m benchmarks leaderboard                          # measures all rows, and writes the page
python -m benchmarks leaderboard --only simulated         # a part of it: simulated, 20-newsgroups or attack
python -m benchmarks leaderboard --row Refined            # one row alone; others stay as they were
python -m benchmarks leaderboard --write FOLDER           # writes documents and words, to fit another method to
python -m benchmarks leaderboard --score FOLDER           # scores its topics-EPSILON.csv beside these documents
python -m benchmarks leaderboard --check FILE             # checks a file of results
"""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy import sparse

from benchmarks.group_shares import DELTA
from benchmarks.leaderboard import page
from benchmarks.leaderboard.contenders import rows
from benchmarks.leaderboard.corpora import (
    N_SEEDS,
    VARIABLE,
    Setting,
    attacked,
    simulated,
    twenty_newsgroups,
)
from benchmarks.leaderboard.entries import read_results
from benchmarks.leaderboard.grouped_corpus import TABLE_SHARE, Contender
from benchmarks.leaderboard.tasks import TASKS, measure_attack, measure_tasks
from benchmarks.remeasured import replace_rows
from dplda.attacks.topic_tables.readers import read_topic_table
from dplda.core.types import Counts
from dplda.privacy.accounting import gaussian

EPSILONS = (1.0, 3.0)  # of topics and table together
ATTACK_EPSILON = 3.0
SECTIONS = ("simulated", "20-newsgroups", "attack")
Row = dict[str, object]
Case = tuple[Setting, int, Counts | None]
"""A setting, its seed, and documents that topics were not fitted to where they are attacked."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Sections and rows to measure, or another task."""
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=SECTIONS, help="sections")
    parser.add_argument("--row", help="one row to measure anew; others stay as they were")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="write documents to fit")
    parser.add_argument("--score", type=Path, metavar="FOLDER", help="score topics beside them")
    parser.add_argument("--check", type=Path, metavar="FILE", help="check a file of results")


def run(
    only: list[str],
    write: Path | None,
    score: Path | None,
    check: Path | None,
    row: str | None = None,
) -> Iterator[Row]:
    """Rows of every section, and the page; or what was asked for instead.

    Args:
        only: sections.
        write: folder to write documents into, in place of a measurement.
        score: folder with topics of another method to score, in place of a measurement.
        check: file of results to check, in place of a measurement.
        row: the one row to measure; others stay as they were. None measures all.
    """
    if check is not None:
        results = read_results(check)
        print(f"{check.name}: {len(results)} results of protocol 1, all as the format says.")
    elif write is not None:
        for section in only:
            for case in cases(section):
                write_case(case, write / f"{section}-{case[1]}")
    elif score is not None:
        for section in only:
            yield from score_section(section, score)
    else:
        for section in only:
            section_rows = measure_section(section, row)
            if row is not None:
                keys = ("corpus", "method", "epsilon", "task")
                section_rows = replace_rows(f"leaderboard-{section}", section_rows, keys)
            for measured_row in section_rows:
                yield {"section": section, **measured_row}
        page.write_page()


def cases(section: str) -> Iterator[Case]:
    """The settings of a section with their seeds; none for text that is not on this machine."""
    folder = Path(os.environ.get(VARIABLE, "nowhere"))
    newsgroups = None
    if section == "20-newsgroups":
        if not (folder / "20ng").is_dir():
            print(f"20 Newsgroups is not here: {VARIABLE} names no folder with 20ng.")
            return
        newsgroups = twenty_newsgroups(folder)
    for seed in range(N_SEEDS):
        if section == "attack":
            setting, other_documents = attacked(seed)
            yield setting, seed, other_documents
        else:
            yield newsgroups or simulated(seed), seed, None


def measure_section(section: str, only_method: str | None = None) -> Iterator[Row]:
    """A row for each method, or for one alone, task and ε: the numbers of all seeds."""
    numbers_by_fit: dict[tuple[str, float], list[dict[str, float] | None]] = {}
    epsilons = _epsilons_of(section)
    corpus = ""
    for setting, seed, other_documents in cases(section):
        corpus = setting.name
        for row in rows():
            if only_method is not None and row.name != only_method:
                continue
            for epsilon in epsilons:
                contender = row.try_fit(setting, epsilon, seed)
                numbers = None
                if contender is not None:
                    numbers = _numbers(setting, contender, other_documents)
                print(f"{section} {seed} {row.name} {epsilon:g} {numbers}", flush=True)
                numbers_by_fit.setdefault((row.name, epsilon), []).append(numbers)
    for (method, epsilon), seed_numbers in numbers_by_fit.items():
        yield from task_rows(corpus, method, epsilon, seed_numbers)


def _epsilons_of(section: str) -> tuple[float, ...]:
    """Values of ε at which a section measures."""
    if section == "attack":
        return (ATTACK_EPSILON,)
    return EPSILONS


def _numbers(
    setting: Setting, contender: Contender, other_documents: Counts | None
) -> dict[str, float]:
    """Numbers of all tasks by name: of the attack if there are other documents to attack with."""
    if other_documents is None:
        return measure_tasks(setting, contender)
    return measure_attack(setting, contender, other_documents)


def task_rows(
    corpus: str, method: str, epsilon: float, seed_numbers: list[dict[str, float] | None]
) -> Iterator[Row]:
    """A row for each task: the numbers of all seeds, None of a refusal.

    Args:
        corpus: name of the setting.
        method: name of the row.
        epsilon: of topics and table together.
        seed_numbers: numbers by task of each seed; None where the method refused.
    """
    names = {
        "simulated": ("recovery", "perplexity", "signs"),
        "20 Newsgroups": ("perplexity", "coherence", "signs"),
        "attack": ("attack AUC", "attack ε"),
    }[corpus]
    for task in TASKS:
        if task.name in names:
            values = [numbers[task.name] for numbers in seed_numbers if numbers is not None]
            yield {
                "corpus": corpus,
                "method": method,
                "epsilon": epsilon,
                "task": task.name,
                "values": [float(f"{value:.5g}") for value in values],
                "refused": seed_numbers.count(None),
            }


def write_case(case: Case, folder: Path) -> None:
    """Write documents to fit and public documents, each with its words, and the group of each document.

    Documents held out, true topics and, where topics are attacked, the others stay away.
    """
    setting, _, _ = case
    folder.mkdir(parents=True, exist_ok=True)
    train = setting.documents.train
    for name, corpus in (("documents", train), ("public", setting.public)):
        sparse.save_npz(folder / f"{name}.npz", corpus.counts)
        (folder / f"{name}-words.txt").write_text("\n".join(corpus.vocabulary) + "\n", "utf-8")
    groups = setting.documents.rows
    (folder / "groups.txt").write_text("\n".join(map(str, groups.tolist())) + "\n", "utf-8")


def score_section(section: str, folder: Path) -> Iterator[Row]:
    """Score topics of others: of each seed ``topics-1.csv`` and ``topics-3.csv``; a missing one is a refusal.

    The table of shares by group gets its noise here, of a tenth of μ². Topics must have had nine tenths.
    """
    epsilons = _epsilons_of(section)
    numbers_by_epsilon: dict[float, list[dict[str, float] | None]] = {}
    corpus = ""
    for setting, seed, other_documents in cases(section):
        corpus = setting.name
        for epsilon in epsilons:
            path = folder / f"{section}-{seed}" / f"topics-{epsilon:g}.csv"
            numbers = None
            if path.is_file():
                numbers = _numbers(setting, _contender_of(path, setting, epsilon), other_documents)
            numbers_by_epsilon.setdefault(epsilon, []).append(numbers)
    for epsilon, seed_numbers in numbers_by_epsilon.items():
        yield from task_rows(corpus, folder.name, epsilon, seed_numbers)


def _contender_of(path: Path, setting: Setting, epsilon: float) -> Contender:
    topics = read_topic_table(path).over(setting.documents.train.vocabulary, str)
    table_mu = gaussian.mu_for(epsilon, DELTA) * float(np.sqrt(TABLE_SHARE))
    return Contender(method=path.parent.name, topics=topics, mean_words=None, table_mu=table_mu)
