"""Time left, on sweeps whose cells take a known time."""

import pytest

from dplda.experiments.sweeps import Sweep
from dplda.experiments.sweeps.clock import Clock
from tests.experiments.sweeps import tiny_sweeps


def sweep() -> Sweep:
    small, large = tiny_sweeps.setting("small", n_documents=10), tiny_sweeps.setting("large", n_documents=150_010)
    return tiny_sweeps.sweep("adaptive", "dp-vi", settings=(small, large), repeats=2)


def test_nothing_is_known_before_the_first_cell() -> None:
    clock = Clock(list(sweep().cells()))
    clock.prepared(sweep().settings[0], 3.0)
    assert clock.left() is None


def test_seconds_left_are_exact_where_cells_take_what_they_are_taken_to() -> None:
    """Seconds in proportion to a million words more than there are: the large setting takes four times as long."""
    cells = list(sweep().cells())
    seconds = {("adaptive", "small"): 1.0002, ("dp-vi", "small"): 7.0014}
    seconds |= {(method, "large"): 4 * value * 1.00005 / 1.0002 for (method, _), value in seconds.items()}
    clock = Clock(cells)
    left = sum(seconds[cell.method.name, cell.setting.name] for cell in cells)
    for position, cell in enumerate(cells):
        took = seconds[cell.method.name, cell.setting.name]
        clock.finished(cell, took)
        left -= took
        if position >= 1:  # both methods were met
            assert clock.left() == pytest.approx(left, rel=1e-3, abs=1e-6)


def test_a_method_not_yet_met_costs_the_mean_of_the_others() -> None:
    cells = [cell for cell in sweep().cells() if cell.setting.name == "small"]
    clock = Clock(cells)
    clock.finished(cells[0], 2.0)
    assert clock.left() == pytest.approx(2.0 * (len(cells) - 1))


def test_documents_still_to_be_drawn_are_counted() -> None:
    cells = list(sweep().cells())
    clock = Clock(cells)
    clock.finished(cells[0], 0.0)
    clock.finished(cells[1], 0.0)
    assert clock.left() == 0
    clock.prepared(sweep().settings[0], 10.0)
    assert clock.left() == pytest.approx(40.0, rel=1e-3)
