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
    """Bars of the noise that one quantity needs under every accounting.

    Args:
        needed: the accountings, the exact one last.
        quantity: index of the quantity.
        name: of it.
        dark: whether the page's ground is dark.

    Example:
        >>> from dplda import figures
        >>> from dplda.privacy.composition import compare, equal_shares
        >>> figure = figures.accounting(compare(1.0, 1e-7, equal_shares(3)), 0, name="E₂")
        >>> print(figure.layout.title.text)
        Adding up as the paper does asks for 2.2<br>times the noise
    """
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
    """The figure in words; arguments as for ``accounting``.

    Example:
        >>> from dplda import figures
        >>> from dplda.privacy.composition import compare, equal_shares
        >>> print(figures.accounting_alt(compare(1.0, 1e-7, equal_shares(3)), 0))
        Noise per unit of sensitivity. sum, as in the paper: 17.7; sum, exact Gaussian each: 13.8; zCDP: 8.62;
        exact, all together: 8.1.
    """
    said = (f"{NAMES[one.accounting]}: {digits(one.multipliers[quantity])}" for one in needed)
    return "Noise per unit of sensitivity. " + "; ".join(said) + "."
