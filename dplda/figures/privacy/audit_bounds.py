"""What an audit has proved so far, against runs, beside what was claimed."""

from collections.abc import Sequence
from dataclasses import dataclass

from dplda.figures import theme
from dplda.figures.line_ends import MARGIN, LineEnd, name_lines
from dplda.figures.plain import Figure, scatter

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


def audit_bounds(lines: Sequence[BoundLine], *, title: str, runs: int, epsilon: float, dark: bool = False) -> Figure:
    """Lower bounds that climb, and the claim as a line that they must not pass."""
    figure = Figure()
    for number, line in enumerate(lines):
        figure.add_trace(
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
        figure.add_hline(y=claimed, line={"color": theme.FLOOR, "dash": "dash", "width": width})
    figure.add_annotation(
        dict(
            x=0,
            xref="paper",
            xanchor="left",
            y=epsilon,
            yanchor="bottom",
            text=f"claimed: ε = {epsilon:g}",
            showarrow=False,
            font={"size": 13, "color": theme.ink(dark=dark)},
            name="claim",
        )
    )
    top = 1.12 * max(epsilon, *(value for line in lines for value in (0.0, *line.epsilons)))
    figure.update_xaxes(dict(title_text="runs on either neighbour", range=[0, 1.02 * runs], showgrid=False, nticks=5))
    figure.update_yaxes(dict(title_text="ε at least", range=[0, top]))
    theme.finish(figure, title=title, height=HEIGHT)
    ends = [LineEnd(line.name, COLOURS[n], False, [0.0, *line.epsilons][-1]) for n, line in enumerate(lines)]
    name_lines(figure, ends, axis=(0, top), pixels=HEIGHT - theme.above(title) - BELOW, ink=theme.ink(dark=dark))
    return figure.update_layout(dict(showlegend=False, margin={"r": MARGIN}))


def audit_bounds_alt(lines: Sequence[BoundLine], *, title: str, epsilon: float) -> str:
    """The same in words."""
    said = "; ".join(f"{line.name} {line.epsilons[-1]:.3g} after {line.runs[-1]:,} runs" for line in lines if line.runs)
    return f"{title}. Lower bounds on ε, of which {epsilon:g} is claimed: {said or 'none yet'}."
