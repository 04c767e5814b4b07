"""What an audit has proved of δ at every ε, beside what the accountant says: for mechanisms that sample documents."""

from collections.abc import Sequence

from dplda.figures import theme
from dplda.figures.drawing import Drawing, scatter
from dplda.figures.figure import Figure

HEIGHT = 300  # pixels
LEAST = 1e-8  # δ below which nothing is drawn


def audit_curve(epsilons: Sequence[float], lower: Sequence[float], claimed: Sequence[float], *, title: str) -> Figure:
    """Bounds on δ that runs prove, and the curve that they must not pass.

    Args:
        lower: bounds on δ there; 0 where runs prove nothing.
    """
    drawing = Drawing(
        scatter(
            x=list(epsilons),
            y=[value if value > LEAST else None for value in claimed],
            name="accounted",
            mode="lines",
            line={"color": theme.FLOOR, "dash": "dash", "width": 2.5},
            hovertemplate="accounted: δ = %{y:.3g} at ε = %{x:.3g}<extra></extra>",
        ),
        scatter(
            x=list(epsilons),
            y=[value if value > LEAST else None for value in lower],
            name="at least",
            mode="lines+markers",
            line={"color": theme.PALETTE[0], "width": 2.2},
            marker={"size": 5},
            hovertemplate="at least δ = %{y:.3g} at ε = %{x:.3g}<extra></extra>",
        ),
    )
    reach = max((x for x, y in zip(epsilons, lower, strict=True) if y > LEAST), default=epsilons[-1] / 3)
    drawing.x(dict(title_text="ε′", range=[0, min(epsilons[-1], 1.6 * reach)], showgrid=False, nticks=6))
    drawing.y(dict(title_text="δ(ε′)", range=[0, 1.12 * max(*claimed, *lower)]))
    drawing.set(dict(legend={"x": 1, "xanchor": "right", "y": 1, "font": {"color": theme.INK}}))
    rows = [row for row in zip(epsilons, lower, claimed, strict=True) if row[1] > LEAST]
    ends = dict.fromkeys([*rows[:1], *rows[-1:]])
    said = "; ".join(f"at ε {epsilon:.3g} at least {value:.3g} of {claim:.3g}" for epsilon, value, claim in ends)
    alt = f"{title}. δ that runs prove, and the accounted one: {said or 'none proved yet'}."
    return Figure(title, alt, HEIGHT, drawing)
