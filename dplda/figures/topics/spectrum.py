"""Leading eigenvalues of the pair moment, and the floor that noise alone would reach."""

import numpy as np

from dplda.core.types import Vector
from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part, scatter
from dplda.figures.figure import Figure


def spectrum(
    private: Vector, *, noise_floor: float, rising: int, exact: Vector | None = None, watermark: str = ""
) -> Figure:
    """Eigenvalues by rank on a logarithmic axis.

    Args:
        private: leading eigenvalues of the noisy M2, largest first, shape (k + 1,).
        noise_floor: the eigenvalue that noise alone would show, ≥ 0.
        exact: the same without noise, where it may be shown.

    Returns:
        A figure without the eigenvalues that are not positive, which a logarithmic axis cannot show.
    """
    k = len(private) - 1
    drawing = Drawing()
    if exact is not None:
        drawing.add(_points("without noise", exact, theme.EXACT, ["diamond-open"] * len(exact)))
    symbols = ["circle" if value > noise_floor else "circle-open" for value in private]
    drawing.add(_points("private", private, theme.PRIVATE, symbols))
    if noise_floor > 0:
        drawing.hline(noise_floor, dict(color=theme.FLOOR, dash="dash", width=2))
        drawing.annotate(
            dict(text="noise floor", x=1, xref="paper", xanchor="right", y=np.log10(noise_floor), yanchor="bottom")
        )
    drawing.x(dict(title_text="rank of the eigenvalue", dtick=1 if k < 16 else 5, showgrid=False))
    drawing.y(dict(title_text="eigenvalue of M₂ (probability)", type="log", exponentformat="power"))
    title = f"{rising} of {k} directions rise above the noise"
    if noise_floor == 0:
        title = "The leading eigenvalues are taken as they come"
    said = f"Eigenvalues of the {'noisy ' if noise_floor else ''}pair moment"
    said += f" from {private[0]:.2g} down to {private[-1]:.2g}"
    if noise_floor:
        said += f"; the noise floor is at {noise_floor:.2g}, and {rising} of {len(private) - 1} stand above it"
    said += "."
    if exact is not None:
        said += f" Without noise they go from {exact[0]:.2g} down to {exact[-1]:.2g}."
    return Figure(title, said, 380, drawing, watermark)


def n_hidden(values: Vector) -> int:
    """How many eigenvalues a logarithmic axis cannot show."""
    return int(np.sum(values <= 0))


def _points(name: str, values: Vector, colour: str, symbols: list[str]) -> Part:
    shown = values > 0
    return scatter(
        x=np.arange(1, len(values) + 1)[shown],
        y=values[shown],
        name=name,
        mode="lines+markers",
        line={"color": colour, "width": 1},
        marker={"size": 10, "color": colour, "symbol": np.array(symbols)[shown].tolist(), "line": {"width": 2}},
        hovertemplate="rank %{x}: %{y:.3g}<extra>" + name + "</extra>",
    )
