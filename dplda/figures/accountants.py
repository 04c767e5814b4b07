"""The accounting lab: what ε the same noise has under every accountant."""

import math
from collections.abc import Mapping, Sequence

from dplda.baselines.accounting import Accountant
from dplda.figures import theme
from dplda.figures.plain import Figure, scatter
from dplda.figures.ticks import log_ticks

NAMES = {
    Accountant.STRONG: "strong composition",
    Accountant.CAPPED: "moments, orders capped (Park et al.)",
    Accountant.CLASSIC: "moments, all orders",
    Accountant.RDP: "Rényi DP, improved conversion",
    Accountant.PLD: "privacy loss distributions",
}
SHORT = {
    Accountant.STRONG: "strong composition",
    Accountant.CAPPED: "the paper's accountant",
    Accountant.PLD: "an exact one",
}
LOOKS = {
    Accountant.STRONG: ("2px,3px", "x"),
    Accountant.CAPPED: ("7px,4px", "square-open"),
    Accountant.CLASSIC: ("8px,3px,2px,3px", "diamond-open"),
    Accountant.RDP: ("4px,2px", "triangle-up"),
    Accountant.PLD: ("solid", "circle"),
}
HIGHEST = 1000.0  # ε; above it a point says nothing


def accountants(sigmas: Sequence[float], curves: Mapping[Accountant, Sequence[float]], *, sigma: float) -> Figure:
    """ε against σ, a line an accountant.

    Args:
        sigmas: noise multipliers, ascending.
        curves: ε at each; infinite or NaN where an accountant cannot say.
        sigma: the one marked, among ``sigmas``.

    Example:
        >>> from dplda.figures import accountants, made_up
        >>> figure = accountants((1.0, 1.24), made_up.EPSILONS, sigma=1.24)
        >>> print(*(trace.name for trace in figure.data), sep=", ")
        strong composition, moments, orders capped (Park et al.), moments, all orders, Rényi DP, improved
        conversion, privacy loss distributions
    """
    figure = Figure()
    for i, (accountant, name) in enumerate(NAMES.items()):
        dash, symbol = LOOKS[accountant]
        figure.add_trace(
            scatter(
                x=list(sigmas),
                y=[value if math.isfinite(value) and 0 < value < HIGHEST else None for value in curves[accountant]],
                name=name,
                mode="lines+markers",
                line={"color": theme.PALETTE[(3, 1, 5, 2, 0)[i]], "dash": dash, "width": 2.2},
                marker={"symbol": symbol, "size": 7},
                hovertemplate=f"ε = %{{y:.4g}} at σ = %{{x:.3g}}<extra>{name}</extra>",
            )
        )
    figure.add_vline(x=sigma, line={"color": "rgba(128,128,128,0.9)", "width": 1.5, "dash": "dot"})
    figure.update_xaxes(dict(title_text="noise multiplier σ", showgrid=False))
    values = [value for curve in curves.values() for value in curve if 0 < value < HIGHEST]
    figure.update_yaxes(dict(title_text="ε", type="log", **log_ticks(min(values), max(values))))
    theme.finish(figure, title=accountants_finding(sigmas, curves, sigma=sigma), height=480)
    return figure.update_layout(dict(legend_y=-0.2))


def accountants_finding(sigmas: Sequence[float], curves: Mapping[Accountant, Sequence[float]], *, sigma: float) -> str:
    """The same noise under every accountant, a sentence."""
    i = list(sigmas).index(sigma)
    said = (f"{_number(curves[accountant][i])} by {SHORT[accountant]}" for accountant in SHORT)
    return f"The noise of σ = {sigma:g} is worth ε = {', '.join(said)}"


def accountants_alt(sigmas: Sequence[float], curves: Mapping[Accountant, Sequence[float]], *, sigma: float) -> str:
    """The figure in words.

    Example:
        >>> from dplda.figures import accountants_alt, made_up
        >>> print(accountants_alt((1.0, 1.24), made_up.EPSILONS, sigma=1.24))
        ε against σ for five accountants. At σ = 1.24: strong composition: 4.9; moments, orders capped (Park et
        al.): 3.9; moments, all orders: 2.9; Rényi DP, improved conversion: 1.9; privacy loss distributions: 0.9.
    """
    i = list(sigmas).index(sigma)
    said = "; ".join(f"{name}: {_number(curves[accountant][i])}" for accountant, name in NAMES.items())
    return f"ε against σ for five accountants. At σ = {sigma:g}: {said}."


def _number(value: float) -> str:
    return f"{value:.3g}" if math.isfinite(value) else "none"
