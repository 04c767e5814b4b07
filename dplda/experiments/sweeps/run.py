"""Run a sweep in this process: only the missing cells, each saved when finished."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean
from typing import TypeAlias

from dplda.core.errors import InputError
from dplda.experiments.specs.row import Row
from dplda.experiments.specs.spec import Cell, Sweep
from dplda.experiments.storage.store import Store
from dplda.experiments.sweeps.measure import measure
from dplda.experiments.sweeps.prepared import PreparedCorpus
from dplda.methods.base.method import Method


@dataclass(frozen=True, slots=True)
class SweepProgress:
    """The progress of a sweep.

    Attributes:
        n_done: cells that are finished.
        n_cells: cells in all.
        n_refused: finished cells in which the method refused.
        n_failed: cells in which the program failed; the next run tries them again.
        note: the current step.
        seconds_left: estimated from the cells measured so far; None while nothing is known.
    """

    n_done: int
    n_cells: int
    n_refused: int
    n_failed: int
    note: str
    seconds_left: float | None

    @property
    def fraction(self) -> float:
        """Share of cells that are finished, in [0, 1]."""
        return self.n_done / self.n_cells


Watcher: TypeAlias = Callable[[SweepProgress], None]


def run(
    sweep: Sweep,
    store: Store,
    report: Watcher | None = None,
    *,
    first_epsilon: float | None = None,
) -> SweepProgress:
    """Compute the missing cells; an exception, a kill or Ctrl+C loses only the current one.

    Args:
        report: called before every corpus and cell; may raise to cancel.
        first_epsilon: the ε at which every method runs first, or the nearest to it in the sweep.

    Raises:
        AlreadyRunning: another process runs this sweep in the same folder.
        StoreError: results cannot be written.
        DpldaError: the documents cannot be read.
    """
    if store.sweep != sweep:
        raise InputError("store", "that of the sweep", "that of another one")
    tell = report or (lambda progress: None)
    with store.writing() as save:
        rows = {number: row for number, row in store.rows().items() if not row.failed}
        state = _State(sweep, rows, first_epsilon)
        tell(state.progress(store.notice or "Starting"))
        for (index, setting), group in groupby(
            state.missing, key=lambda it: (it[1].corpus, it[1].setting)
        ):
            tell(state.progress(f"{setting.name}: documents"))
            documents = PreparedCorpus(sweep, setting, index)
            store.check_documents(setting)
            for number, cell in group:
                tell(state.progress(_in_words(cell, sweep)))
                row = measure(cell, documents)
                save(number, row)
                state.add(cell, row)
            del documents
    outcome = state.progress("Done")
    tell(outcome)
    return outcome


class _State:
    """Counts of a running sweep, and the seconds of finished cells by method."""

    def __init__(self, sweep: Sweep, rows: dict[int, Row], first_epsilon: float | None) -> None:
        """Count the finished cells, and put the missing ones in the order of computing."""
        cells = list(enumerate(sweep.cells()))
        missing = [(number, cell) for number, cell in cells if number not in rows]
        self.missing = _in_order(sweep, missing, first_epsilon)
        self._n_cells = len(cells)
        self._n_done = len(rows)
        self._n_refused = sum(bool(row.refused) for row in rows.values())
        self._n_failed = 0
        self._ahead = Counter(cell.method for _, cell in self.missing)
        self._seconds: defaultdict[Method, list[float]] = defaultdict(list)
        for number, cell in cells:
            if number in rows:
                self._seconds[cell.method].append(rows[number].seconds)

    def add(self, cell: Cell, row: Row) -> None:
        self._n_done += 1
        self._n_refused += bool(row.refused)
        self._n_failed += bool(row.failed)
        self._ahead[cell.method] -= 1
        self._seconds[cell.method].append(row.seconds)

    def progress(self, note: str) -> SweepProgress:
        return SweepProgress(
            self._n_done, self._n_cells, self._n_refused, self._n_failed, note, self._left()
        )

    def _left(self) -> float | None:
        """Estimated seconds left.

        A method not yet run counts as the others' mean. None before the first.
        """
        if not self._seconds:
            return None
        means = {method: fmean(seconds) for method, seconds in self._seconds.items()}
        mean_of_all = fmean(means.values())
        return sum(n * means.get(method, mean_of_all) for method, n in self._ahead.items())


def _in_order(
    sweep: Sweep, missing: list[tuple[int, Cell]], first_epsilon: float | None
) -> list[tuple[int, Cell]]:
    """Missing cells as they are computed.

    Of each corpus, cells without ε and those at the first ε come first.
    """
    if first_epsilon is None:
        return missing

    def place(numbered: tuple[int, Cell]) -> tuple[int, int, bool]:
        cell = numbered[1]
        at_once = cell.epsilon in (None, nearest[cell.setting])
        return cell.corpus, sweep.settings.index(cell.setting), not at_once

    nearest = {
        setting: min(
            sweep.epsilons_of(setting),
            key=lambda epsilon: abs(math.log(epsilon / first_epsilon)),
            default=None,
        )
        for setting in sweep.settings
    }
    return sorted(missing, key=place)


def _in_words(cell: Cell, sweep: Sweep) -> str:
    """A cell in words: setting, method, ε, and which corpus and draw where there are several."""
    words = [cell.setting.name, cell.method.title]
    if cell.epsilon is not None:
        words.append(f"ε = {cell.epsilon:g}")
    if sweep.n_corpora(cell.setting) > 1:
        words.append(f"corpus {cell.corpus + 1} of {sweep.corpora}")
    if cell.method.needs_epsilon and sweep.repeats > 1:
        words.append(f"draw {cell.repeat + 1} of {sweep.repeats}")
    return ", ".join(words)
