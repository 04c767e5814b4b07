"""The predicted map: worked out coarse to fine, references and cells remembered between reruns and sessions."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial

import numpy as np
import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError
from dplda.core.formatting import digits
from dplda.core.types import Report
from dplda.figures import Figure
from dplda.methods.registry import may_be_better, parse_method, predictors
from dplda.theory.prediction.geometry import Geometry
from dplda.theory.prediction.regime_axes import Grid, Point
from dplda.theory.prediction.regimes import (
    PredictedCell,
    RegimeMap,
    by_population,
    cells_at,
    map_of,
    reference_of,
    reference_or_none,
)
from dplda.theory.prediction.unigram import UNIGRAM
from dplda.ui.literal import literal
from dplda.ui.regimes.adopt import clicked
from dplda.ui.regimes.page import filled
from dplda.ui.shell import figure_view, session
from dplda.ui.shell.bounded_cache import BoundedCache
from dplda.ui.shell.frame import Experiment
from dplda.ui.shell.keys import Key
from dplda.ui.shell.progress import unneeded, watched

FINEST = 11  # values along an axis
CELL = 400  # bytes that one takes, roughly
STAGES = (3, 6)  # drawn first where references have to be made


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What was worked out before."""

    references: BoundedCache[tuple[Geometry | None]] = field(default_factory=lambda: BoundedCache(128_000_000))
    cells: BoundedCache[PredictedCell] = field(default_factory=lambda: BoundedCache(16_000_000))
    maps: BoundedCache[RegimeMap] = field(default_factory=lambda: BoundedCache(16_000_000))


@st.cache_resource(show_spinner=False)
def known() -> Known:
    """Shared between sessions."""
    return Known()


def predicted(experiment: Experiment, grid: Grid, methods: Sequence[str]) -> None:
    """Draw the predicted map, or its coarser kin first where it takes long, and say what it is here."""
    above, here = st.container(), st.container()  # the picture comes before its controls
    fine = filled(grid, FINEST)
    fine = replace(fine, base=fine.point(0, 0))  # where the experiment stands on the two axes changes no error
    populations = [(points[0].population, 0) for points in by_population(fine)]
    made = all(known().references.get(population) is not None for population in populations)
    stages = () if made else STAGES
    place = above.empty() if stages else above  # what is replaced once is not there for a moment
    for count in (*stages, FINEST):
        found = _worked_out(fine.thinned(count), methods)
        if found is None:
            return
        with place.container() if stages else place:
            _shown(found, grid.base, f"{count}")
    with here:
        _at_home(experiment, grid.base, methods)


def _at_home(experiment: Experiment, here: Point, methods: Sequence[str]) -> None:
    """Say what is predicted of the experiment itself, and which methods are not predicted."""
    cell = own_cell(here, methods)
    if cell is None:
        return
    error = {text: digits(value, 2) for text, value in zip(methods, cell.errors, strict=True)}
    best = methods[int(np.nanargmin(cell.errors))]
    numbers = f"N = {here.n_documents:,}, ε = {here.epsilon:g}, d = {here.n_words:,}, k = {here.n_topics}"
    said, title = f"**At your numbers** ({numbers}):", parse_method(best).title
    if best == UNIGRAM:
        said += (
            f" no method compared is worth its noise. **{title}**, one list of words for every topic, has the smallest"
            f" error ({error[best]})."
        )
    elif cell.winner >= 0:
        said += (
            f" among the methods compared, **{title}** has the smallest predicted error ({error[best]}). One private"
            f" list of words for every topic has {error[UNIGRAM]}."
        )
    else:
        worst, rivals = cell.at_worst[methods.index(best)], zip(methods, cell.at_best, strict=True)
        near = [parse_method(text).title for text, low in rivals if text != best and low < worst]
        said += (
            f" among the methods compared, **{title}** has the smallest predicted error ({error[best]}), too close to"
            f" {' and '.join(near)} to call. One private list of words has {error[UNIGRAM]}."
        )
    said += f" {may_be_better(_compared())}".rstrip()
    method = experiment.settings.method
    if method.text not in _compared():
        said += f" Your own method is {method.title}: simulate it below."
    st.markdown(said)


def own_cell(here: Point, methods: Sequence[str]) -> PredictedCell | None:
    """What is predicted of some methods at one point; None where topics are too much alike."""
    geometry, asked = reference(here), tuple(predictors().values())
    if geometry is None:
        return None
    cell = known().cells.made((here, asked), lambda: cells_at([here], geometry, asked)[0], lambda cell: CELL)
    return cell.of(_numbers(methods))


def _compared() -> tuple[str, ...]:
    """Texts of all methods whose error is predicted, in the order of a cell."""
    return (*predictors(), UNIGRAM)


def _numbers(methods: Sequence[str]) -> list[int]:
    return [_compared().index(text) for text in methods]


def _worked_out(grid: Grid, methods: Sequence[str]) -> RegimeMap | None:
    """The predicted errors over a grid; None where it was cancelled or refused, which is then said."""
    held, key = known().maps, (grid, tuple(methods), _compared())
    if (before := held.get(key)) is not None:
        return unneeded(before)
    try:
        cells = watched(f"regimes{hash(grid)}", partial(_cells, grid))
    except DpldaError as error:
        st.error(literal(str(error)))
        return None
    if cells is None:
        return None
    chosen = {point: cell.of(_numbers(methods)) for point, cell in cells.items()}
    return held.put(key, map_of(grid, chosen, methods), CELL * len(cells))


def reference(point: Point, *, seed: int = 0) -> Geometry | None:
    """The reference of a point, made once; None where there is none."""

    def make() -> tuple[Geometry | None]:
        return (reference_or_none(point, partial(reference_of, seed=seed)),)

    return known().references.made((point.population, seed), make, _weight)[0]


def _cells(grid: Grid, report: Report) -> dict[Point, PredictedCell]:
    """Cells of every point that has a reference."""
    held, cells = known().cells, {}
    asked = tuple(predictors().values())
    groups = by_population(grid)
    for number, points in enumerate(groups):
        report(number / len(groups), f"Predicting: {number} of {len(groups)} populations")
        kept = {point: held.get((point, asked)) for point in points}
        missing = [point for point, cell in kept.items() if cell is None]
        geometry = reference(points[0]) if missing else None
        if geometry is not None:
            for point, cell in zip(missing, cells_at(missing, geometry, asked), strict=True):
                kept[point] = held.put((point, asked), cell, CELL)
        cells.update({point: cell for point, cell in kept.items() if cell is not None})
    return cells


def _shown(found: RegimeMap, here: Point, name: str) -> None:
    """Which method compared has the smallest error; hovering says how large that is."""
    key = f"regimes.winners.{name}"
    figure_view.draw(_drawn(found, here), key, on_select=partial(clicked, found, here, key))
    if name == str(FINEST):
        _alone(found)
    st.caption(
        "A cell stands for a whole experiment. Its colour and letter name the method compared that has the smallest"
        " predicted error. A question mark: too close to call. P: none of these methods finds a topic above its"
        " noise. Hover for all errors; click to make the cell your experiment, which the cross marks. Other methods"
        f" are not predicted: below, your own is simulated. {may_be_better(found.methods)}".rstrip()
    )


@lru_cache(maxsize=64)
def _drawn(found: RegimeMap, here: Point) -> Figure:
    """The picture of a map, which is itself and no other: maps are kept, and compared by what they are."""
    return figures.regimes(found, here=here)


def _alone(found: RegimeMap) -> None:
    """Where one method has the smallest error wherever any does: a button that takes it out, to compare the others."""
    winners = {found.methods[winner] for winner in np.unique(found.winners) if winner >= 0} - {UNIGRAM}
    if len(winners) != 1 or len(found.methods) < 3:
        return
    alone = winners.pop()
    st.button(
        f"Compare without {parse_method(alone).title}",
        icon=":material/person_remove:",
        key=Key.REGIME_WITHOUT,
        on_click=session.put,
        args=(Key.REGIME_METHODS, [text for text in found.methods if text not in (alone, UNIGRAM)]),
        help="Takes it out of the configurations compared below; there it comes back.",
    )


def _weight(reference: tuple[Geometry | None]) -> int:
    """Bytes that a reference takes, roughly."""
    (made,) = reference
    if made is None:
        return 1000
    words, typical = made.words, made.typical
    arrays = (made.topics, words.differences, words.squares, words.mass, typical.proportions, typical.pair_norms)
    return int(sum(np.asarray(array).nbytes for array in arrays)) * 2
