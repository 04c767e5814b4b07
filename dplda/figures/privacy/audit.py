"""Lower bounds proved by an audit, next to the claimed ε."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle

from dplda.figures import theme
from dplda.figures.drawing import Drawing, curve
from dplda.figures.figure import Figure
from dplda.figures.line_ends import LineEnd, name_lines
from dplda.figures.marks import label_line

COLOURS = tuple(
    colour for colour in theme.PALETTE if colour != theme.FLOOR
)  # FLOOR marks the claim
HEIGHT, BELOW = 360, 60  # pixels: the figure, and the space below its axes


@dataclass(frozen=True, slots=True)
class BoundLine:
    """Lower bounds on ε of one release after each number of runs, and the ``claimed`` ε."""

    name: str
    runs: Sequence[int]
    epsilons: Sequence[float]
    claimed: float


def audit_bounds(lines: Sequence[BoundLine], *, title: str, runs: int, epsilon: float) -> Figure:
    """Lower bounds on ε by number of runs, with the claim as a line that they must not cross."""
    drawing, ends = Drawing(), []
    for colour, line in zip(cycle(COLOURS), lines, strict=False):
        xs, ys, hover = (
            [0, *line.runs],
            [0.0, *line.epsilons],
            "ε at least %{y:.3g} after %{x:,} runs",
        )
        drawing.add(curve(theme.plain(line.name), xs, ys, colour, hover, size=5))
        if line.runs:  # a name at 0 would say that a bound was found
            ends.append(LineEnd(line.name, colour, False, ys[-1]))
    for claimed in dict.fromkeys([epsilon, *(line.claimed for line in lines)]):
        drawing.hline(
            claimed, dict(color=theme.FLOOR, dash="dash", width=2.5 if claimed == epsilon else 1.2)
        )
    label_line(drawing, epsilon, f"claimed: ε = {epsilon:g}")
    top = 1.12 * max(epsilon, *(value for line in lines for value in (0.0, *line.epsilons)))
    axis = dict(title_text="runs on each neighbor", range=[0, 1.02 * runs], showgrid=False)
    drawing.x(axis | {"nticks": 5, "tickformat": ","})
    drawing.y(dict(title_text="ε at least", range=[0, top]))
    name_lines(drawing, ends, axis=(0, top), pixels=HEIGHT - theme.above(title) - BELOW)
    said = "; ".join(
        f"{line.name} {line.epsilons[-1]:.3g} after {line.runs[-1]:,} runs"
        for line in lines
        if line.runs
    )
    alt = f"{title}. Lower bounds on ε (claimed: {epsilon:g}): {said or 'none yet'}."
    return Figure(title, alt, HEIGHT, drawing)
