"""One method's error in two parts: what too few documents cost, and what privacy adds."""

import math
from dataclasses import dataclass

from dplda.figures import theme
from dplda.figures.drawing import Drawing, scatter
from dplda.figures.figure import Figure
from dplda.figures.ticks import log_ticks


@dataclass(frozen=True, slots=True)
class Parts:
    """Medians over repeats of one method's error parts.

    Attributes:
        sampling: distance to the truth of the topics that the same method finds without noise, at each ε; L1, sum over
            topics. Clipping, which follows ε, is part of it.
        privacy: distance of the private topics to the un-noised ones.
        total: distance of the private topics to the truth; at most the sum of both.
    """

    title: str
    epsilons: tuple[float, ...]
    sampling: tuple[float, ...]
    privacy: tuple[float, ...]
    total: tuple[float, ...]


def error_parts(parts: Parts, *, log_epsilon: bool = False) -> Figure:
    """Three lines: sampling, privacy, and the error that both lead to."""
    drawing = Drawing()
    for name, values, shade, dash, symbol in (
        ("without noise: too few documents, and clipping", parts.sampling, theme.EXACT, "2px,3px", "square"),
        ("what noise adds: privacy", parts.privacy, theme.FLOOR, "7px,4px", "diamond"),
        ("both: the error", parts.total, theme.PRIVATE, "solid", "circle"),
    ):
        drawing.add(
            scatter(
                x=parts.epsilons,
                y=[value if math.isfinite(value) else None for value in values],
                name=name,
                mode="lines+markers",
                line={"color": shade, "dash": dash, "width": 2.2},
                marker={"symbol": symbol, "size": 8},
                hovertemplate=f"%{{y:.3g}} at ε = %{{x:.3g}}<extra>{name}</extra>",
            )
        )
    drawing.x(dict(title_text="privacy loss ε", showgrid=False))
    if log_epsilon:
        drawing.x(dict(type="log", **log_ticks(parts.epsilons[0], parts.epsilons[-1])))
    positive = [value for value in (*parts.sampling, *parts.privacy, *parts.total) if value > 0]  # NaN is not
    drawing.y(dict(title_text="L1 error, sum over topics", type="log"))
    if positive:
        drawing.y(dict(**log_ticks(min(positive), max(positive))))
    drawing.set(dict(showlegend=True))
    title = parts_finding(parts)
    rows = zip(parts.epsilons, parts.sampling, parts.privacy, parts.total, strict=True)
    said = (f"ε = {at:g}: documents {low:.3g}, privacy {more:.3g}, error {both:.3g}" for at, low, more, both in rows)
    return Figure(title, f"{title}. {'; '.join(said)}.", 380, drawing)


def parts_finding(parts: Parts) -> str:
    """From which ε on the documents are what is missing, a sentence."""
    pairs = [
        (epsilon, privacy > sampling)
        for epsilon, privacy, sampling in zip(parts.epsilons, parts.privacy, parts.sampling, strict=True)
        if math.isfinite(privacy) and math.isfinite(sampling)
    ]
    if not pairs:
        return f"{parts.title}: no error to divide"
    costly = [epsilon for epsilon, more in pairs if more]
    if not costly:
        return f"{parts.title}: privacy costs less than having so few documents, at every ε"
    if len(costly) == len(pairs):
        return f"{parts.title}: privacy costs more than having so few documents, at every ε"
    return f"{parts.title}: privacy is the larger cost up to ε = {costly[-1]:g}"
