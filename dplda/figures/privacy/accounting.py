"""Bars that compare a few numbers, such as each accountant's ε of the same noise."""

from collections.abc import Mapping

from dplda.core.formatting import digits
from dplda.figures import theme
from dplda.figures.figure import Figure
from dplda.figures.marks import bars
from dplda.methods.dpvi.accounting import Accountant

THICKEST_BAR = 0.14  # part of the height of a figure that a bar may take: two are not two blocks
ACCOUNTANTS = {
    Accountant.CAPPED: "moments, orders capped (Park et al.)",
    Accountant.CLASSIC: "moments, all orders",
    Accountant.RDP: "Rényi DP, improved conversion",
    Accountant.PLD: "privacy loss distributions",
}


def accountants(epsilons: Mapping[Accountant, float]) -> Figure:
    """Bars of the ε that each accountant assigns to the same noise, the recommended one last."""
    epsilon_texts = " → ".join(digits(epsilon) for epsilon in epsilons.values())
    title = f"The same noise, accounted better: ε = {epsilon_texts}"
    named_epsilons = {ACCOUNTANTS[accountant]: value for accountant, value in epsilons.items()}
    return compared(named_epsilons, title=title, x_title="ε")


def compared(values: Mapping[str, float], *, title: str, x_title: str) -> Figure:
    """A bar for each number, the first on top.

    Args:
        values: numbers by name, above 0; the last one, in the color of this program's choice, is
            the recommended one or the whole.
        title: the finding.
        x_title: of the axis, also the begin of the alt text.
    """
    n_bars = len(values)
    largest = max(values.values())
    number_texts = [digits(value) for value in values.values()]
    colours = [theme.EXACT] * (n_bars - 1) + [theme.PRIVATE]
    drawing = bars(values, number_texts, colours, "%{y}: %{x:.4g}")
    drawing.x(dict(title_text=x_title, range=[0, largest * 1.18], nticks=5, showgrid=False))
    gap_share = max(0.2, 1 - n_bars * THICKEST_BAR)
    drawing.set(dict(bargap=gap_share))
    bar_texts = []
    for name, number_text in zip(values, number_texts, strict=True):
        bar_texts.append(f"{name}: {number_text}")
    bars_in_words = "; ".join(bar_texts)
    axis_sentence = f"{x_title[:1].upper()}{x_title[1:]}."
    alt = f"{axis_sentence} {bars_in_words}."
    return Figure(title, alt, 260, drawing)
