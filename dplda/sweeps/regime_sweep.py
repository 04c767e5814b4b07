"""A map of regimes as a sweep of simulated corpora, coarse to fine, and back from the sweep's frame to a map."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from dplda.corpus import Simulation
from dplda.errors import InputError
from dplda.methods import Method, parse_method
from dplda.prediction.regime_axes import Axis, Grid, Point
from dplda.prediction.regimes import PredictedCell, RegimeMap, map_of
from dplda.sweeps.setting import Setting
from dplda.sweeps.spec import Sweep

if TYPE_CHECKING:
    import pandas as pd

REFERENCE = parse_method("unnoised")


@dataclass(frozen=True, slots=True)
class MapSweep:
    """A sweep and what its settings stand for.

    Attributes:
        grid: of the map.
        methods: texts of the methods compared, in order; the sweep has the references besides.
        sweep: its settings are the cells, those together that share their documents.
        points: pairs (name of a setting, its points, one for each of its ε).
        left_out: points that are not simulated, being too large or impossible.
    """

    grid: Grid
    methods: tuple[str, ...]
    sweep: Sweep
    points: tuple[tuple[str, tuple[Point, ...]], ...]
    left_out: frozenset[Point]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often two maps have the same winner.

    Attributes:
        same: cells in which they have.
        compared: cells decided in both.
    """

    same: int
    compared: int


def map_sweep(grid: Grid, methods: Sequence[Method], *, repeats: int = 1, seed: int = 0) -> MapSweep:
    """The sweep that works a map out.

    Documents are drawn with seed 0 from the populations that the predictor refers to. What is coarse comes first, and
    of what is equally coarse the cheapest; a corpus is drawn once for all ε that come at the same time.

    Args:
        grid: which points; those too large to be drawn are left out.
        methods: to compare; the un-noised fit is added.
        repeats: draws of noise on every corpus.
        seed: of the noise.

    Raises:
        InputError: no point can be simulated, no method, or a sweep of too many cells.
    """
    compared = tuple(method for method in methods if method is not REFERENCE)
    if not compared:
        raise InputError("methods", "at least one to compare", "none")
    settings, points = [], []
    left_out: set[Point] = set()
    for number, level in enumerate(_levels(grid), start=1):
        groups: dict[Point, list[Point]] = {}
        for point in level:
            groups.setdefault(replace(point, epsilon=1.0), []).append(point)
        for shared, members in sorted(groups.items(), key=lambda pair: pair[0].n_documents * pair[0].mean_length):
            if (simulation := _simulation(shared)) is None:
                left_out.update(members)
                continue
            name = _name(shared, number)
            settings.append(
                Setting(
                    name=name,
                    source=simulation,
                    n_topics=shared.n_topics,
                    alpha0=shared.alpha0,
                    epsilons=tuple(point.epsilon for point in members),
                    delta=shared.delta,
                )
            )
            points.append((name, tuple(members)))
    if not settings:
        raise InputError("map", "small enough for at least one cell to be simulated", "one without any")
    sweep = Sweep(tuple(settings), (REFERENCE, *compared), repeats=repeats, seed=seed)
    texts = tuple(method.text for method in compared)
    return MapSweep(grid, texts, sweep, tuple(points), frozenset(left_out))


def map_from(frame: "pd.DataFrame", plan: MapSweep) -> RegimeMap:
    """The map that a frame fills so far; a cell counts once all its methods are there.

    Args:
        frame: of the sweep; medians over repeats are taken. Where a method resolved no topic it has no error: its one
            list of words is the private unigram's to win with.
        plan: what its settings stand for.
    """
    known = frame[frame["failed"] == ""]
    errors = known["l1_mean"].where(known["resolved"] > 0)
    median = errors.groupby([known["setting"], known["method"], known["epsilon"].fillna(0.0)]).agg(["median", "size"])
    found = {key: (float(row["median"]), int(row["size"])) for key, row in median.iterrows()}
    repeats = plan.sweep.repeats
    cells: dict[Point, PredictedCell] = {}
    for name, members in plan.points:
        for point in members:
            wanted = [(text, point.epsilon, repeats) for text in plan.methods]
            wanted.append((REFERENCE.text, 0.0, 1))
            values = [found.get((name, text, epsilon)) for text, epsilon, _ in wanted]
            there = [
                value for value, (*_, n) in zip(values, wanted, strict=True) if value is not None and value[1] >= n
            ]
            if len(there) == len(wanted):
                *found_errors, unnoised = (value for value, _ in there)
                each = tuple(found_errors)
                cells[point] = PredictedCell(each, each, each, unnoised)
    return map_of(plan.grid, cells, plan.methods, plan.left_out)


def agreement(one: RegimeMap, other: RegimeMap) -> Agreement:
    """In how many cells decided in both maps the same method wins; the maps have the same grid.

    Raises:
        InputError: maps over different grids.
    """
    if one.grid != other.grid:
        raise InputError("maps", "over the same grid", "over different ones")
    decided = (one.winners >= 0) & (other.winners >= 0)
    same = decided & np.equal(_names(one), _names(other))
    return Agreement(int(np.sum(same)), int(np.sum(decided)))


def _names(found: RegimeMap) -> np.ndarray[tuple[int, int], np.dtype[np.object_]]:
    """Who wins, by the full text of the method; "" for nobody."""
    texts = [parse_method(name).text for name in found.methods]
    named = [[texts[code] if code >= 0 else "" for code in row] for row in found.winners.tolist()]
    return np.array(named, dtype=object)


def _levels(grid: Grid) -> Iterator[list[Point]]:
    """Points of the corners, then those that each halving of the steps adds."""
    seen: set[Point] = set()
    count, total = 2, len(set(_all(grid)))
    while len(seen) < total:
        level = [point for point in _all(grid.thinned(count)) if point not in seen]
        seen.update(level)
        if level:
            yield level
        count = 2 * count - 1


def _all(grid: Grid) -> Iterator[Point]:
    return (point for _, _, point in grid.points())


def _simulation(point: Point) -> Simulation | None:
    """The documents of a point; None where they would be too many, too long, or have fewer words than topics."""
    if not point.possible:
        return None
    try:
        return Simulation(
            n_documents=point.n_documents,
            n_words=point.n_words,
            n_topics=point.n_topics,
            alpha0=point.alpha0,
            mean_length=point.mean_length,
        )
    except InputError:
        return None


def _name(point: Point, level: int) -> str:
    p = point
    shape = f"N {p.n_documents:,}, d {p.n_words}, k {p.n_topics}, α₀ {p.alpha0:g}, L {p.mean_length}"
    return f"{shape}, δ {Axis.DELTA.text(p.delta)}, step {level}"
