"""One method's error in two parts: what too few documents cost, and what privacy adds."""

import pandas as pd

from dplda.figures import theme
from dplda.figures.drawing import Drawing, curve
from dplda.figures.figure import Figure
from dplda.figures.marks import epsilon_axis, log_ticks

COLUMNS = {
    "sampling_l1": ("without noise: too few documents, and clipping", theme.EXACT, "2px,3px", "square"),
    "privacy_l1": ("what noise adds: privacy", theme.FLOOR, "7px,4px", "diamond"),
    "l1_sum": ("both: the error", theme.PRIVATE, "solid", "circle"),
}


def error_parts(name: str, rows: pd.DataFrame, *, log_epsilon: bool = False) -> Figure:
    """Medians over repeats, at each ε: what too few documents cost, what privacy adds, and the error both lead to.

    Args:
        rows: of one method in a sweep's frame.
    """
    parts = rows.groupby("epsilon")[list(COLUMNS)].median().sort_index()
    epsilons = [float(epsilon) for epsilon in parts.index]
    drawing = Drawing()
    for column, (said, shade, dash, symbol) in COLUMNS.items():
        hover = "%{y:.3g} at ε = %{x:.3g}"
        drawing.add(curve(said, epsilons, parts[column].tolist(), shade, hover, dash=dash, symbol=symbol))
    epsilon_axis(drawing, epsilons[0], epsilons[-1], log=log_epsilon)
    positive = [value for value in parts.to_numpy().ravel().tolist() if value > 0]  # NaN is not
    drawing.y(dict(title_text="L1 error, sum over topics", type="log"))
    if positive:
        drawing.y(log_ticks(min(positive), max(positive)))
    drawing.set(dict(showlegend=True))
    title = f"{name}: {_finding(parts)}"
    told = (
        f"ε = {at:g}: documents {low:.3g}, privacy {more:.3g}, error {both:.3g}"
        for at, low, more, both in parts.itertuples()
    )
    return Figure(title, f"{title}. {'; '.join(told)}.", 380, drawing)


def _finding(parts: pd.DataFrame) -> str:
    """From which ε on the documents are what is missing."""
    known = parts[["sampling_l1", "privacy_l1"]].dropna()
    costly = known.index[known["privacy_l1"] > known["sampling_l1"]]
    if known.empty:
        return "no error to divide"
    if costly.empty:
        return "privacy costs less than having so few documents, at every ε"
    if len(costly) == len(known):
        return "privacy costs more than having so few documents, at every ε"
    return f"privacy is the larger cost up to ε = {costly[-1]:g}"
