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
from dplda.experiments.specs.setting import Setting
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

    Cells that failed before are computed again; refusals count as results.

    Args:
        sweep: what is computed.
        store: where its results are kept.
        report: called at the beginning and the end, and before every corpus and cell; may raise
            to cancel.
        first_epsilon: the ε at which every method runs first, or the nearest to it in the sweep.

    Returns:
        Progress at the end.

    Raises:
        InputError: the store is that of another sweep.
        AlreadyRunning: another process runs this sweep in the same folder.
        StoreError: results cannot be written, or documents have changed since the store was opened.
        DpldaError: the documents cannot be read.
    """
    if store.sweep != sweep:
        raise InputError("store", "that of the sweep", "that of another one")
    report_progress = report or (lambda progress: None)
    with store.writing() as save:
        finished_rows = {
            cell_number: row for cell_number, row in store.rows().items() if not row.failed
        }
        state = _State(sweep, finished_rows, first_epsilon)
        report_progress(state.progress(store.notice or "Starting"))
        for (corpus_index, setting), numbered_cells in groupby(state.missing, key=_documents_of):
            report_progress(state.progress(f"{setting.name}: documents"))
            documents = PreparedCorpus(sweep, setting, corpus_index)
            store.check_documents(setting)
            for cell_number, cell in numbered_cells:
                report_progress(state.progress(_describe_cell(cell, sweep)))
                row = measure(cell, documents)
                save(cell_number, row)
                state.add(cell, row)
            del documents
    final_progress = state.progress("Done")
    report_progress(final_progress)
    return final_progress


def _documents_of(numbered_cell: tuple[int, Cell]) -> tuple[int, Setting]:
    """Number of the corpus and setting of a cell: cells that share both share their documents."""
    cell = numbered_cell[1]
    return cell.corpus, cell.setting


class _State:
    """Counts of a running sweep, and the seconds of finished cells by method."""

    def __init__(self, sweep: Sweep, rows: dict[int, Row], first_epsilon: float | None) -> None:
        """Count the finished cells, and put the missing ones in the order of computing.

        Seconds of finished cells are kept by method, to tell how long the rest will take.

        Args:
            sweep: what is computed.
            rows: finished cells by number, without failed ones; failures are counted from 0.
            first_epsilon: ε that comes first; None for the sweep's order.
        """
        numbered_cells = list(enumerate(sweep.cells()))
        missing_cells = [
            (cell_number, cell) for cell_number, cell in numbered_cells if cell_number not in rows
        ]
        self.missing = _order_missing(sweep, missing_cells, first_epsilon)
        self._n_cells = len(numbered_cells)
        self._n_done = len(rows)
        self._n_refused = sum(bool(row.refused) for row in rows.values())
        self._n_failed = 0
        self._n_missing_by_method = Counter(cell.method for _, cell in self.missing)
        self._seconds_by_method: defaultdict[Method, list[float]] = defaultdict(list)
        for cell_number, cell in numbered_cells:
            if cell_number in rows:
                self._seconds_by_method[cell.method].append(rows[cell_number].seconds)

    def add(self, cell: Cell, row: Row) -> None:
        """Count a finished cell, and note its seconds."""
        self._n_done += 1
        self._n_refused += bool(row.refused)
        self._n_failed += bool(row.failed)
        self._n_missing_by_method[cell.method] -= 1
        self._seconds_by_method[cell.method].append(row.seconds)

    def progress(self, note: str) -> SweepProgress:
        """Numbers of all, finished, refused and failed cells, with the seconds left.

        Refused cells count as finished, and so do cells that failed in this run.

        Args:
            note: the current step.
        """
        return SweepProgress(
            n_done=self._n_done,
            n_cells=self._n_cells,
            n_refused=self._n_refused,
            n_failed=self._n_failed,
            note=note,
            seconds_left=self._estimate_seconds_left(),
        )

    def _estimate_seconds_left(self) -> float | None:
        """Seconds that the missing cells will take by their methods' means; None before the first.

        A method not yet run counts as the mean of the others.
        """
        if not self._seconds_by_method:
            return None
        means = {method: fmean(seconds) for method, seconds in self._seconds_by_method.items()}
        mean_of_all = fmean(means.values())
        return sum(
            n_missing * means.get(method, mean_of_all)
            for method, n_missing in self._n_missing_by_method.items()
        )


def _order_missing(
    sweep: Sweep,
    missing: list[tuple[int, Cell]],
    first_epsilon: float | None,
) -> list[tuple[int, Cell]]:
    """Put missing cells in the order of computing: as they come, if there is no first ε.

    Else corpus by corpus and setting by setting, with cells without ε, and those at the setting's ε
    nearest to the first, before the others. The nearest has the smallest factor to it.
    """
    if first_epsilon is None:
        return missing

    def sort_key(numbered_cell: tuple[int, Cell]) -> tuple[int, int, bool]:
        """Corpus, place of the setting, and whether the cell waits for others."""
        cell = numbered_cell[1]
        comes_first = cell.epsilon in (None, nearest_epsilon_by_setting[cell.setting])
        return cell.corpus, sweep.settings.index(cell.setting), not comes_first

    nearest_epsilon_by_setting = {
        setting: min(
            sweep.epsilons_of(setting),
            key=lambda epsilon: abs(math.log(epsilon / first_epsilon)),
            default=None,
        )
        for setting in sweep.settings
    }
    return sorted(missing, key=sort_key)


def _describe_cell(cell: Cell, sweep: Sweep) -> str:
    """Describe a cell: setting, method, and ε if it has one.

    The corpus follows if the setting has several. The draw follows if there are several and the
    method has noise.
    """
    phrases = [cell.setting.name, cell.method.title]
    if cell.epsilon is not None:
        phrases.append(f"ε = {cell.epsilon:g}")
    if sweep.n_corpora(cell.setting) > 1:
        phrases.append(f"corpus {cell.corpus + 1} of {sweep.corpora}")
    if cell.method.needs_epsilon and sweep.repeats > 1:
        phrases.append(f"draw {cell.repeat + 1} of {sweep.repeats}")
    return ", ".join(phrases)
