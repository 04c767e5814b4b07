"""Park et al.'s Figure 1: perplexity against ε for several σ and minibatches, under two accountants."""

import pandas as pd

from dplda.configurations import Calibration
from dplda.figures import theme
from dplda.figures.plain import Figure, scatter

SYMBOLS = ("circle", "square", "diamond", "triangle-up")
AXES = {
    "epsilon": ("the paper's accountant", "7px,4px"),
    "strong": ("strong composition", "2px,3px"),
    "exact": ("exact accounting", "solid"),
}
"""By column: what it is called, and how its line is dashed."""


def batches(frame: pd.DataFrame, *, calibration: Calibration = Calibration.PUBLISHED) -> Figure:
    """One line for each size of minibatch and each accountant; the runs are the same, their ε is not.

    Args:
        frame: of ``papers.batches``.
        calibration: as published, or with every document clipped.

    Example:
        >>> from dplda.figures import batches, made_up
        >>> print(*(trace.name for trace in batches(made_up.batches()).data), sep="; ")
        S = 10, the paper's accountant; S = 10, strong composition; S = 10, exact accounting; S = 40, the paper's
        accountant; S = 40, strong composition; S = 40, exact accounting
    """
    figure = Figure()
    shown = frame[frame["calibration"] == str(calibration)]
    for i, (size, runs) in enumerate(shown.groupby("size")):
        for column, (name, dash) in AXES.items():
            ordered = runs.sort_values(column)
            title = f"S = {size:,.0f}, {name}"
            figure.add_trace(
                scatter(
                    x=ordered[column],
                    y=ordered["perplexity"],
                    customdata=ordered[["sigma"]].to_numpy(),
                    name=title,
                    mode="lines+markers",
                    line={"color": theme.PALETTE[i], "dash": dash, "width": 2},
                    marker={"symbol": SYMBOLS[i] + ("" if column == "exact" else "-open"), "size": 8},
                    hovertemplate="perplexity %{y:.4g} at ε = %{x:.3g}, σ = %{customdata[0]:g}"
                    f"<extra>{title}</extra>",
                )
            )
    exact = float(frame.loc[frame["calibration"] == "", "perplexity"].iloc[0])
    figure.add_hline(y=exact, line={"color": theme.PALETTE[8], "dash": "2px,3px", "width": 2})
    said = f"without noise: {exact:,.0f}"
    figure.add_annotation(dict(x=0, xref="paper", xanchor="left", y=exact, yanchor="bottom", text=said))
    ticks = [0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]
    figure.update_xaxes(dict(type="log", title_text="ε, adding or removing a document", showgrid=False))
    figure.update_xaxes(dict(tickvals=ticks, ticktext=[f"{tick:g}" for tick in ticks]))
    figure.update_yaxes(dict(title_text="held-out perplexity"))
    theme.finish(figure, title=batches_finding(frame, calibration=calibration), height=640)
    return figure.update_layout(dict(legend_y=-0.14))


def batches_finding(frame: pd.DataFrame, *, calibration: Calibration = Calibration.PUBLISHED) -> str:
    """What the size of the minibatch does, and by how much the accountants differ, a sentence.

    Example:
        >>> from dplda.figures import batches_finding, made_up
        >>> print(batches_finding(made_up.batches()))
        Larger minibatches have less perplexity; exact accounting finds an ε about 2 times smaller than the paper's
        for the same noise
    """
    shown = frame[frame["calibration"] == str(calibration)]
    by_size = shown.groupby("size")["perplexity"].median().sort_index()
    if by_size.idxmin() != by_size.index[-1]:
        said = f"The largest minibatches do not have the least perplexity: those of {by_size.idxmin():,.0f} do"
    elif by_size.is_monotonic_decreasing:
        said = "Larger minibatches have less perplexity"
    else:
        said = "The largest minibatches have the least perplexity"
    factor = (shown["epsilon"] / shown["exact"]).median()
    return f"{said}; exact accounting finds an ε about {factor:.2g} times smaller than the paper's for the same noise"


def batches_alt(frame: pd.DataFrame, *, calibration: Calibration = Calibration.PUBLISHED) -> str:
    """The figure in words.

    Example:
        >>> from dplda.figures import batches_alt, made_up
        >>> print(batches_alt(made_up.batches()))
        Larger minibatches have less perplexity; exact accounting finds an ε about 2 times smaller than the paper's
        for the same noise. S = 10, σ = 1: perplexity 90, ε 4, exactly 2; S = 40, σ = 1: perplexity 80, ε 8, exactly
        4.
    """
    shown = frame[frame["calibration"] == str(calibration)]
    said = [
        f"S = {size:,.0f}, σ = {sigma:g}: perplexity {perplexity:.4g}, ε {epsilon:.3g}, exactly {exact:.3g}"
        for size, sigma, perplexity, epsilon, exact in shown[
            ["size", "sigma", "perplexity", "epsilon", "exact"]
        ].itertuples(index=False)
    ]
    return f"{batches_finding(frame, calibration=calibration)}. " + "; ".join(said) + "."
