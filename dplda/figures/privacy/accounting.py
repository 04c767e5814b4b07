"""Bars that compare a few numbers, the ε that each accountant assigns to the same noise among them."""

from collections.abc import Mapping

from dplda.core.formatting import digits
from dplda.figures import theme
from dplda.figures.figure import Figure
from dplda.figures.marks import bars
from dplda.methods.dpvi.accounting import Accountant

ACCOUNTANTS = {
    Accountant.CAPPED: "moments, orders capped (Park et al.)",
    Accountant.CLASSIC: "moments, all orders",
    Accountant.RDP: "Rényi DP, improved conversion",
    Accountant.PLD: "privacy loss distributions",
}


def accountants(epsilons: Mapping[Accountant, float]) -> Figure:
    """The ε that each accountant assigns to the same noise."""
    title = f"The same noise, accounted better: ε = {' → '.join(map(digits, epsilons.values()))}"
    return compared(
        {ACCOUNTANTS[one]: value for one, value in epsilons.items()}, title=title, x_title="ε"
    )


def compared(values: Mapping[str, float], *, title: str, x_title: str) -> Figure:
    """A bar for each number; the last, in the color of this program's choice, is the recommended one or the whole."""
    texts = list(map(digits, values.values()))
    colours = [theme.EXACT] * (len(values) - 1) + [theme.PRIVATE]
    drawing = bars(values, texts, colours, "%{y}: %{x:.4g}")
    drawing.x(
        dict(title_text=x_title, range=[0, max(values.values()) * 1.18], nticks=5, showgrid=False)
    )
    listed = "; ".join(f"{name}: {text}" for name, text in zip(values, texts, strict=True))
    return Figure(title, f"{x_title[:1].upper()}{x_title[1:]}. {listed}.", 260, drawing)
