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
HEIGHT = 360  # pixels of the figure
BELOW = 60  # pixels below its axes


@dataclass(frozen=True, slots=True)
class BoundLine:
    """Lower bounds on ε of one release after each number of runs, and the ``claimed`` ε.

    Attributes:
        name: of the release.
        runs: numbers of runs, ascending; empty before the first bound.
        epsilons: the bound after each of them.
        claimed: ε that the release claims.
    """

    name: str
    runs: Sequence[int]
    epsilons: Sequence[float]
    claimed: float


def audit_bounds(lines: Sequence[BoundLine], *, title: str, runs: int, epsilon: float) -> Figure:
    """Lower bounds on ε by number of runs, with claims as dashed lines that they must not cross.

    Every bound starts at 0 runs; it is named at its end only if it has any runs.

    Args:
        lines: one for each release, at least one.
        title: the finding.
        runs: right end of the axis.
        epsilon: claim of the whole method, the thick dashed line; claims of releases are thin.
    """
    drawing = Drawing()
    line_ends = []
    for colour, line in zip(cycle(COLOURS), lines, strict=False):
        xs = [0, *line.runs]
        ys = [0.0, *line.epsilons]
        hover_template = "ε at least %{y:.3g} after %{x:,} runs"
        drawing.add(curve(theme.plain(line.name), xs, ys, colour, hover_template, size=5))
        if line.runs:  # a name at 0 would say that a bound was found
            line_ends.append(LineEnd(line.name, colour, False, ys[-1]))
    _draw_claims(drawing, lines, epsilon)
    bounds = [bound for line in lines for bound in line.epsilons]
    top = 1.12 * max([epsilon, 0.0, *bounds])
    x_axis = dict(title_text="runs on each neighbor", range=[0, 1.02 * runs], showgrid=False)
    drawing.x(x_axis | {"nticks": 5, "tickformat": ","})
    drawing.y(dict(title_text="ε at least", range=[0, top]))
    plot_height = HEIGHT - theme.above(title) - BELOW
    name_lines(drawing, line_ends, axis=(0, top), pixels=plot_height)
    alt = _describe(lines, title, epsilon)
    return Figure(title, alt, HEIGHT, drawing)


def _draw_claims(drawing: Drawing, lines: Sequence[BoundLine], epsilon: float) -> None:
    """Draw each different claim as a dashed line, that of the whole method thick and with a label.

    Args:
        drawing: to which they are added.
        lines: one for each release, with its claim.
        epsilon: claim of the whole method.
    """
    claims = [epsilon, *(line.claimed for line in lines)]
    for claimed_epsilon in dict.fromkeys(claims):
        width = 2.5 if claimed_epsilon == epsilon else 1.2
        drawing.hline(claimed_epsilon, dict(color=theme.FLOOR, dash="dash", width=width))
    label_line(drawing, epsilon, f"claimed: ε = {epsilon:g}")


def _describe(lines: Sequence[BoundLine], title: str, epsilon: float) -> str:
    """The title, the claimed ε, and the last bound of each release that has any, or *none yet*."""
    bound_texts = []
    for line in lines:
        if line.runs:
            bound = line.epsilons[-1]
            n_runs = line.runs[-1]
            bound_texts.append(f"{line.name} {bound:.3g} after {n_runs:,} runs")
    last_bounds = "; ".join(bound_texts) or "none yet"
    return f"{title}. Lower bounds on ε (claimed: {epsilon:g}): {last_bounds}."
