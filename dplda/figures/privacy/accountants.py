"""What ε the same noise has under every accountant: one bar an accountant."""

from collections.abc import Mapping

from dplda.figures import theme
from dplda.figures.plain import Figure, bar
from dplda.methods.variational.accounting import Accountant

NAMES = {
    Accountant.STRONG: "strong composition",
    Accountant.CAPPED: "moments, orders capped (Park et al.)",
    Accountant.CLASSIC: "moments, all orders",
    Accountant.RDP: "Rényi DP, improved conversion",
    Accountant.PLD: "privacy loss distributions",
}


def accountants(epsilons: Mapping[Accountant, float], *, dark: bool = False) -> Figure:
    """Bars of the ε that accountants give the same noise."""
    values = list(epsilons.values())
    figure = Figure(
        bar(
            x=values,
            y=[NAMES[accountant] for accountant in epsilons],
            orientation="h",
            marker={"color": [theme.EXACT] * (len(values) - 1) + [theme.PRIVATE]},
            text=[f"{value:.3f}" for value in values],
            textposition="outside",
            textfont={"color": theme.ink(dark=dark)},
            cliponaxis=False,
            hovertemplate="%{y}: ε = %{x:.4g}<extra></extra>",
        )
    )
    figure.update_xaxes(dict(title_text="ε", range=[0, max(values) * 1.18], nticks=5, showgrid=False))
    figure.update_yaxes(dict(autorange="reversed", automargin=True))
    said = " → ".join(f"{value:.3f}" for value in values)
    return theme.finish(figure, title=f"The same noise, accounted better: ε = {said}", height=260)


def accountants_alt(epsilons: Mapping[Accountant, float]) -> str:
    """The figure in words."""
    said = "; ".join(f"{NAMES[accountant]}: {value:.3f}" for accountant, value in epsilons.items())
    return f"ε of the same noise. {said}."
