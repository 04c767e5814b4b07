"""What an audit has proved so far, against runs, beside what was claimed."""

from collections.abc import Sequence
from dataclasses import dataclass

from dplda.figures import theme
from dplda.figures.drawing import Drawing, scatter
from dplda.figures.figure import Figure
from dplda.figures.line_ends import LineEnd, name_lines

COLOURS = tuple(colour for colour in theme.PALETTE if colour != theme.FLOOR)  # which is the claim's
HEIGHT, BELOW = 360, 60  # pixels: of the figure, and of what stands below its axes


@dataclass(frozen=True, slots=True)
class BoundLine:
    """One release.

    Attributes:
        epsilons: lower bound on ε after as many.
        claimed: ε that is claimed of these neighbours.
    """

    name: str
    runs: Sequence[int]
    epsilons: Sequence[float]
    claimed: float


def audit_bounds(lines: Sequence[BoundLine], *, title: str, runs: int, epsilon: float) -> Figure:
    """Lower bounds that climb, and the claim as a line that they must not pass."""
    drawing = Drawing()
    for number, line in enumerate(lines):
        drawing.add(
            scatter(
                x=[0, *line.runs],
                y=[0.0, *line.epsilons],
                name=line.name,
                mode="lines+markers",
                line={"color": COLOURS[number], "width": 2.2},
                marker={"size": 5},
                hovertemplate="at least ε = %{y:.3g} after %{x:,} runs<extra>" + theme.plain(line.name) + "</extra>",
            )
        )
    claims = dict.fromkeys([epsilon, *(line.claimed for line in lines)])
    for claimed in claims:
        width = 2.5 if claimed == epsilon else 1.2
        drawing.hline(claimed, dict(color=theme.FLOOR, dash="dash", width=width))
    drawing.annotate(
        dict(
            x=0,
            xref="paper",
            xanchor="left",
            y=epsilon,
            yanchor="bottom",
            text=f"claimed: ε = {epsilon:g}",
            font={"size": 13, "color": theme.INK},
            name="claim",
        )
    )
    top = 1.12 * max(epsilon, *(value for line in lines for value in (0.0, *line.epsilons)))
    drawing.x(dict(title_text="runs on either neighbour", range=[0, 1.02 * runs], showgrid=False, nticks=5))
    drawing.y(dict(title_text="ε at least", range=[0, top]))
    ends = [LineEnd(line.name, COLOURS[n], False, [0.0, *line.epsilons][-1]) for n, line in enumerate(lines)]
    name_lines(drawing, ends, axis=(0, top), pixels=HEIGHT - theme.above(title) - BELOW)
    said = "; ".join(f"{line.name} {line.epsilons[-1]:.3g} after {line.runs[-1]:,} runs" for line in lines if line.runs)
    alt = f"{title}. Lower bounds on ε, of which {epsilon:g} is claimed: {said or 'none yet'}."
    return Figure(title, alt, HEIGHT, drawing)
