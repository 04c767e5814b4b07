"""Bars comparing accountants: the noise each needs, and the ε each assigns to the same noise."""

from collections.abc import Mapping, Sequence

from dplda.core.formatting import digits
from dplda.figures import theme
from dplda.figures.drawing import Drawing
from dplda.figures.figure import Figure
from dplda.figures.marks import bars
from dplda.methods.variational.accounting import Accountant
from dplda.privacy.composition import Accounting, Needed

WAYS = {
    Accounting.SPLIT_CLASSIC: "sum, as in the paper",
    Accounting.SPLIT_ANALYTIC: "sum, exact Gaussian each",
    Accounting.ZCDP: "zCDP",
    Accounting.EXACT: "exact, all together",
}
ACCOUNTANTS = {
    Accountant.CAPPED: "moments, orders capped (Park et al.)",
    Accountant.CLASSIC: "moments, all orders",
    Accountant.RDP: "Rényi DP, improved conversion",
    Accountant.PLD: "privacy loss distributions",
}


def accounting(needed: Sequence[Needed], quantity: int, *, name: str) -> Figure:
    """The noise that one quantity needs under each kind of composition."""
    noises = {WAYS[one.accounting]: one.multipliers[quantity] for one in needed}
    texts = list(map(digits, noises.values()))
    title = f"Noise for the same promise: {' → '.join(texts)}"
    alt = "Noise per unit of sensitivity. " + _listed(noises, texts)
    return Figure(title, alt, 260, _bars(noises, texts, "", f"noise on {name} per unit of sensitivity"))


def accountants(epsilons: Mapping[Accountant, float]) -> Figure:
    """The ε that each accountant assigns to the same noise."""
    named = {ACCOUNTANTS[accountant]: value for accountant, value in epsilons.items()}
    texts = [f"{value:.3f}" for value in named.values()]
    title = f"The same noise, accounted better: ε = {' → '.join(texts)}"
    return Figure(title, "ε of the same noise. " + _listed(named, texts), 260, _bars(named, texts, "ε = ", "ε"))


def budgets(epsilons: Mapping[str, float]) -> Figure:
    """The ε of ways to release several times, or of parts of one release; the recommended way or the whole is last."""
    texts = [f"{value:.3g}" for value in epsilons.values()]
    return Figure(f"ε = {' → '.join(texts)}", _listed(epsilons, texts), 230, _bars(epsilons, texts, "ε = ", "ε"))


def _bars(values: Mapping[str, float], texts: Sequence[str], unit: str, x_title: str) -> Drawing:
    """Bars, the last in the color of the accountant used here."""
    colours = [theme.EXACT] * (len(values) - 1) + [theme.PRIVATE]
    drawing = bars(values, texts, colours, f"%{{y}}: {unit}%{{x:.4g}}")
    drawing.x(dict(title_text=x_title, range=[0, max(values.values()) * 1.18], nticks=5, showgrid=False))
    return drawing


def _listed(values: Mapping[str, float], texts: Sequence[str]) -> str:
    return "; ".join(f"{name}: {text}" for name, text in zip(values, texts, strict=True)) + "."
