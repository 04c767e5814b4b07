"""How much noise each way of adding up asks for: one bar a way."""

from collections.abc import Sequence

from dplda.core.formatting import digits
from dplda.figures import theme
from dplda.figures.plain import Figure, bar
from dplda.privacy.composition import Accounting, Needed

NAMES = {
    Accounting.SPLIT_CLASSIC: "sum, as in the paper",
    Accounting.SPLIT_ANALYTIC: "sum, exact Gaussian each",
    Accounting.ZCDP: "zCDP",
    Accounting.EXACT: "exact, all together",
}


def accounting(needed: Sequence[Needed], quantity: int, *, name: str, dark: bool = False) -> Figure:
    """Bars of the noise that one quantity needs under every accounting."""
    noises = [one.multipliers[quantity] for one in needed]
    figure = Figure(
        bar(
            x=noises,
            y=[NAMES[one.accounting] for one in needed],
            orientation="h",
            marker={"color": [theme.EXACT, theme.EXACT, theme.EXACT, theme.PRIVATE]},
            text=[digits(noise) for noise in noises],
            textposition="outside",
            textfont={"color": theme.ink(dark=dark)},
            cliponaxis=False,
            hovertemplate="%{y}: %{x:.4g}<extra></extra>",
        )
    )
    figure.update_xaxes(
        dict(
            title_text=f"noise on {name} per unit of sensitivity",
            range=[0, max(noises) * 1.18],
            nticks=5,
            showgrid=False,
        )
    )
    figure.update_yaxes(dict(autorange="reversed", automargin=True))
    title = f"Adding up as the paper does asks for {digits(noises[0] / noises[-1], 2)} times the noise"
    return theme.finish(figure, title=title, height=260)


def accounting_alt(needed: Sequence[Needed], quantity: int) -> str:
    """The figure in words; arguments as for ``accounting``."""
    said = (f"{NAMES[one.accounting]}: {digits(one.multipliers[quantity])}" for one in needed)
    return "Noise per unit of sensitivity. " + "; ".join(said) + "."
