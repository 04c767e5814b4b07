"""Verdicts before a release, against what came out: on twins with real words, and on corpora.

Two thirds of the themes found make a case *readable*, one sixth or less *nothing*. Themes of corpora are not known, so
topics count as a report counts them: those that documents without topics do not have as well. Corpora of which that takes
long are left out. A table's own topics are nothing, too, as nothing of them comes from the documents. The two borders of the signal are fitted by ordinal
logistic regression to all cases without a table. They are also fitted without the documents that they are judged on. Nothing is ever fitted to docstrings.
"""

import argparse
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, logit

from benchmarks.verdict_cases import (
    DOCSTRINGS,
    TWINS,
    Case,
    CaseStore,
    corpus_cases,
    name_of,
    twin_cases,
)
from dplda.release.verdict.signal_strength import estimate_signal, estimate_signal_beside_table
from dplda.release.verdict.verdict import BORDERS, VerdictBorders, foresee

TABLE_SOURCE = "wikipedia_lead"  # which the English table was made from
RULES = "today's"  # of rows; a row that is kept while rules change says which it was counted by
RANK_WORDS = ("nothing", "weak", "readable")
TABLE_COUNTS = "all, a table's own topics judged as others"
SURE_OF_NOTHING = 0.7  # chance of nothing at its border, as *nothing* turns its reader away
SURE_OF_TABLE = 0.6  # likewise beside a table, which can be left out
SURE_OF_READABLE = 0.6  # chance of readable topics at theirs, as *readable* makes its reader pay
Row = dict[str, str | float | int]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Numbers of cases, corpora, and the file of cases."""
    parser.add_argument("--twins", type=int, default=240, help="cases of simulated documents")
    parser.add_argument("--cases", type=int, default=60, help="cases of each corpus")
    parser.add_argument("--tables", action="store_true", help="also with the English table")
    parser.add_argument(
        "--corpora", nargs="*", default=[], metavar="PATH", help="files of public documents"
    )
    parser.add_argument(
        "--kept", type=Path, metavar="FILE", help="keeps cases, so that none is run twice"
    )


def run(
    twins: int, cases: int, tables: bool, corpora: list[str], kept: Path | None
) -> Iterator[Row]:
    """Rows of how often verdicts were right, for each kind of documents, and of what came of each verdict.

    Borders are fitted to twins of even seeds as well, and to all but one kind, and judged on other documents.

    Args:
        twins: cases of simulated documents.
        cases: cases of each corpus.
        tables: whether cases with the English table follow those without.
        corpora: paths of public documents.
        kept: file of cases, so that none is run twice; None to keep nothing.
    """
    store = CaseStore(kept)
    for has_table in (False, True) if tables else (False,):
        yield from _rows_of_table(twins, cases, corpora, store, has_table=has_table)


def _rows_of_table(
    n_twins: int, n_cases: int, corpora: list[str], store: CaseStore, *, has_table: bool
) -> Iterator[Row]:
    """Rows of all cases with the English table, or of all without."""
    fitted_by_kind = {TWINS: list(twin_cases(n_twins, store, has_table=has_table))}
    for path in corpora:
        if has_table and name_of(path) == TABLE_SOURCE:
            continue
        fitted_by_kind[name_of(path)] = _as_reported(
            corpus_cases(path, n_cases, store, has_table=has_table, is_checked=True)
        )
    text_cases = [
        case for kind, kind_cases in fitted_by_kind.items() if kind != TWINS for case in kind_cases
    ]
    cases_by_kind = {
        **_documents_and_persons(fitted_by_kind[TWINS]),
        **fitted_by_kind,
        "all corpora": text_cases,
        "twins and corpora": [*fitted_by_kind[TWINS], *text_cases],
        DOCSTRINGS: list(corpus_cases(DOCSTRINGS, n_cases, store, has_table=has_table)),
    }
    table = "English" if has_table else "none"
    for kind, judged_cases in cases_by_kind.items():
        if judged_cases:
            yield {"kind": kind, "table": table, "rules": RULES, **summary(judged_cases)}
            yield from _outcomes(kind, table, judged_cases)
    if not has_table:
        yield from _held_out(fitted_by_kind)
        return
    counted_as_topics = [
        replace(case, is_table_alone=False)
        for kind_cases in fitted_by_kind.values()
        for case in kind_cases
    ]
    yield {"kind": TABLE_COUNTS, "table": table, "rules": RULES, **summary(counted_as_topics)}
    yield from _held_out_tables(fitted_by_kind)


def _documents_and_persons(twins: Iterable[Case]) -> dict[str, list[Case]]:
    """Twins by what is protected in them."""
    halves: dict[str, list[Case]] = {"twins, documents": [], "twins, persons": []}
    for case in twins:
        is_person = case.numbers.documents_per_row > 1
        halves["twins, persons" if is_person else "twins, documents"].append(case)
    return halves


def summary(cases: Sequence[Case], borders: VerdictBorders = BORDERS) -> Row:
    """Percent of verdicts that were right, and of outcomes that were foretold."""
    foretold = np.array([foresee(case.numbers, borders).readability.rank for case in cases])
    outcomes = np.array([outcome_rank(case) for case in cases])
    return {
        "cases": len(cases),
        "readable is right, %": _percent(outcomes == 2, foretold == 2),
        "nothing is right, %": _percent(outcomes == 0, foretold == 0),
        "weak, %": _percent(foretold == 1, np.full(len(cases), True)),
        "readable foretold, %": _percent(foretold == 2, outcomes == 2),
        "nothing foretold, %": _percent(foretold == 0, outcomes == 0),
    }


def outcome_rank(case: Case) -> int:
    """0 for nothing, 1 for weak, 2 for readable: what a release gave."""
    if case.is_table_alone or case.fraction <= 1 / 6 + 1e-9:
        return 0
    return 2 if case.fraction >= 2 / 3 - 1e-9 else 1


def _as_reported(cases: Iterable[Case]) -> list[Case]:
    """Cases whose topics were compared with documents without topics, as a report counts them."""
    return [
        replace(case, fraction=case.fraction_supported)
        for case in cases
        if case.fraction_supported is not None
    ]


def fit_borders(cases: Sequence[Case]) -> VerdictBorders:
    """Borders at which *nothing* and *readable* have their chances, by ordinal logistic regression on the log signal.

    Simulated documents and real ones weigh as much, however many cases there are of each.
    """
    log_signals = np.log([estimate_signal(case.numbers) for case in cases])
    ranks = np.array([outcome_rank(case) for case in cases])
    weights = _equal_weights(cases)

    def negative_log_likelihood(parameters: np.ndarray) -> float:
        weak, gap, slope = parameters[0], *np.exp(parameters[1:])
        above_weak = expit(slope * (log_signals - weak))
        above_readable = expit(slope * (log_signals - weak - gap))
        chances = np.choose(ranks, [1 - above_weak, above_weak - above_readable, above_readable])
        return -float(weights @ np.log(np.maximum(chances, 1e-12)))

    start = [math.log(BORDERS.weak), 0.0, 1.0]
    weak, log_gap, log_slope = minimize(negative_log_likelihood, start, method="Nelder-Mead").x
    slope = math.exp(log_slope)
    return VerdictBorders(
        weak=math.exp(weak - logit(SURE_OF_NOTHING) / slope),
        readable=math.exp(weak + math.exp(log_gap) + logit(SURE_OF_READABLE) / slope),
        table_alone=BORDERS.table_alone,
    )


def fit_table_border(cases: Sequence[Case]) -> float:
    """Signal at which *nothing* has its chance beside a table, by logistic regression on its logarithm."""
    log_signals = np.log([estimate_signal_beside_table(case.numbers) for case in cases])
    is_nothing = np.array([outcome_rank(case) == 0 for case in cases])
    weights = _equal_weights(cases)

    def negative_log_likelihood(parameters: np.ndarray) -> float:
        margins = math.exp(parameters[1]) * (parameters[0] - log_signals)
        return float(weights @ np.logaddexp(0, np.where(is_nothing, -margins, margins)))

    start = [math.log(BORDERS.table_alone), 1.0]
    border, log_slope = minimize(negative_log_likelihood, start, method="Nelder-Mead").x
    return math.exp(border - logit(SURE_OF_TABLE) / math.exp(log_slope))


def _equal_weights(cases: Sequence[Case]) -> np.ndarray:
    """Weights of cases, by which simulated documents and real ones count as much."""
    is_twin = np.array([case.kind == TWINS for case in cases])
    return 1 / np.where(is_twin, is_twin.sum(), (~is_twin).sum())


def _held_out(by_kind: dict[str, list[Case]]) -> Iterator[Row]:
    """Borders fitted to some documents and judged on others.

    First those of every other twin, judged on the other twins and on all corpora, and of every other case, judged on the
    others. Then those of all kinds but one, judged on this one.
    """
    every_case = [case for cases in by_kind.values() for case in cases]
    text_cases = [case for case in every_case if case.kind != TWINS]
    even_cases = [case for case in every_case if case.seed % 2 == 0]
    odd_cases = [case for case in every_case if case.seed % 2]
    even_twins = [case for case in even_cases if case.kind == TWINS]
    odd_twins = [case for case in odd_cases if case.kind == TWINS]
    trials = [
        ("every other twin", even_twins, "other twins", odd_twins),
        ("every other twin", even_twins, "all corpora", text_cases),
        ("every other case", even_cases, "other cases", odd_cases),
        ("all", every_case, "all", every_case),
    ]
    for kind, kind_cases in by_kind.items():
        other_cases = [case for case in every_case if case.kind != kind]
        trials.append((f"all but {kind}", other_cases, kind, kind_cases))
    for fitted_name, fitted_cases, judged_name, judged_cases in trials:
        if not fitted_cases or not judged_cases:
            continue
        borders = fit_borders(fitted_cases)
        yield {
            "section": "held-out",
            "fitted to": fitted_name,
            "judged on": judged_name,
            "rules": RULES,
            "weak from": round(borders.weak, 1),
            "readable from": round(borders.readable, 1),
            **summary(judged_cases, borders),
        }


def _held_out_tables(by_kind: dict[str, list[Case]]) -> Iterator[Row]:
    """The border beside a table, fitted to all cases, and to all kinds but the one that it is judged on."""
    every_case = [case for cases in by_kind.values() for case in cases]
    trials = [("all", every_case, "all", every_case)]
    for kind, kind_cases in by_kind.items():
        other_cases = [case for case in every_case if case.kind != kind]
        trials.append((f"all but {kind}", other_cases, kind, kind_cases))
    for fitted_name, fitted_cases, judged_name, judged_cases in trials:
        if not fitted_cases:
            continue
        border = fit_table_border(fitted_cases)
        yield {
            "section": "held-out-tables",
            "fitted to": fitted_name,
            "judged on": judged_name,
            "rules": RULES,
            "table alone below": round(border, 1),
            **summary(judged_cases, replace(BORDERS, table_alone=border)),
        }


def _outcomes(kind: str, table: str, cases: Sequence[Case]) -> Iterator[Row]:
    """A row for each verdict: how often nothing, weak and readable topics came out."""
    for rank, word in enumerate(RANK_WORDS):
        outcomes = [
            outcome_rank(case) for case in cases if foresee(case.numbers).readability.rank == rank
        ]
        counts = np.bincount(outcomes, minlength=3).tolist()
        yield {
            "section": "outcomes",
            "kind": kind,
            "table": table,
            "rules": RULES,
            "verdict": word,
            **dict(zip(RANK_WORDS, counts, strict=True)),
        }


def _percent(is_hit: np.ndarray, is_counted: np.ndarray) -> float:
    """Percent of counted cases that are hits; nan if none is counted."""
    if not is_counted.any():
        return math.nan
    return round(100 * float(is_hit[is_counted].mean()), 1)
