"""The paper's Figure 3: what the noise is measured against, by α0 and by k."""

import math

import pandas as pd

from dplda.figures import theme
from dplda.figures.plain import Figure, scatter

USABLE, INFEASIBLE = 500.0, 100.0  # σk/Δ2 of configuration 1 at ε near 1: rules of thumb from runs
TURNS = 1.5  # a summit or a dip by more than this factor is no longer chance


def pair_spectrum(frame: pd.DataFrame) -> Figure:
    """The k-th eigenvalue of M2 in both scalings, and below it what it is worth beside one document's influence.

    Args:
        frame: of ``papers.spectra.pair_spectrum``.

    Example:
        >>> from dplda.figures import made_up, pair_spectrum
        >>> print(*(trace.name for trace in pair_spectrum(made_up.SPECTRUM).data), sep="; ")
        σk of α₀(α₀+1)·M₂; σk of M₂; σk/Δ₂, in either scaling
    """
    medians = frame.groupby("alpha0")[["sigma_k", "scaled", "ratio"]].median()
    figure = Figure(below=2, gap=0.1)
    for panel, column, name, shade, dash, symbol in (
        (1, "scaled", "σk of α₀(α₀+1)·M₂", theme.EXACT, "7px,4px", "square"),
        (1, "sigma_k", "σk of M₂", theme.PRIVATE, "solid", "circle"),
        (2, "ratio", "σk/Δ₂, in either scaling", theme.PALETTE[2], "solid", "diamond"),
    ):
        figure.add_trace(
            scatter(
                x=medians.index,
                y=medians[column],
                name=name,
                mode="lines+markers",
                line={"color": shade, "dash": dash, "width": 2.2},
                marker={"symbol": symbol, "size": 8},
                hovertemplate=f"%{{y:.3g}} at α₀ = %{{x:g}}<extra>{name}</extra>",
            ),
            panel=panel,
        )
    for value, text in ((USABLE, "usable at ε ≈ 1 above"), (INFEASIBLE, "infeasible below")):
        figure.add_hline(y=value, line={"color": theme.FLOOR, "dash": "dash", "width": 1.2}, panel=2)
        figure.add_annotation(
            dict(
                x=1,
                xref="x2 domain",
                xanchor="right",
                y=math.log10(value),
                yref="y2",
                yanchor="bottom" if value == USABLE else "top",
                text=text,
            )
        )
    figure.update_xaxes(
        dict(type="log", showgrid=False, tickvals=[0.1, 1, 10, 100, 1000], ticktext=["0.1", "1", "10", "100", "1000"])
    )
    figure.update_xaxes(dict(title_text="mixing α₀"), panel=2)
    figure.update_yaxes(dict(type="log", exponentformat="power", nticks=5))
    figure.update_yaxes(dict(title_text="eigenvalue"), panel=1)
    figure.update_yaxes(dict(title_text="over sensitivity"), panel=2)
    theme.finish(figure, title=pair_spectrum_finding(frame), height=560)
    return figure.update_layout(dict(legend_y=-0.14))


def pair_spectrum_finding(frame: pd.DataFrame) -> str:
    """What α0 does to the eigenvalue and to its worth, a sentence.

    Example:
        >>> from dplda.figures import made_up, pair_spectrum_finding
        >>> print(pair_spectrum_finding(made_up.SPECTRUM))
        Scaled, the eigenvalue grows with α₀; beside one document's influence it falls from 1,400 to 4
    """
    ends = frame.groupby("alpha0")[["scaled", "ratio"]].median().sort_index().iloc[[0, -1]]
    scaled = "grows" if ends["scaled"].iloc[1] > ends["scaled"].iloc[0] else "falls"
    ratio = "grows" if ends["ratio"].iloc[1] > ends["ratio"].iloc[0] else "falls"
    return (
        f"Scaled, the eigenvalue {scaled} with α₀; beside one document's influence it {ratio} from"
        f" {ends['ratio'].iloc[0]:,.0f} to {ends['ratio'].iloc[1]:.2g}"
    )


def pair_spectrum_alt(frame: pd.DataFrame) -> str:
    """The figure in words.

    Example:
        >>> from dplda.figures import made_up, pair_spectrum_alt
        >>> print(pair_spectrum_alt(made_up.SPECTRUM))
        Scaled, the eigenvalue grows with α₀; beside one document's influence it falls from 1,400 to 4. α₀ = 0.1: σk
        0.02, scaled 0.0022, over Δ₂ 1.4e+03; α₀ = 10: σk 0.0001, scaled 0.011, over Δ₂ 4.
    """
    medians = frame.groupby("alpha0")[["sigma_k", "scaled", "ratio"]].median()
    said = [
        f"α₀ = {alpha0:g}: σk {row.sigma_k:.2g}, scaled {row.scaled:.2g}, over Δ₂ {row.ratio:.3g}"
        for alpha0, row in zip(medians.index, medians.itertuples(), strict=True)
    ]
    return f"{pair_spectrum_finding(frame)}. " + "; ".join(said) + "."


def tensor_gaps(frame: pd.DataFrame) -> Figure:
    """The smallest gap between eigenvalues of T against k, in populations and as a corpus shows it.

    Args:
        frame: of ``papers.spectra.tensor_gaps``.

    Example:
        >>> from dplda.figures import made_up, tensor_gaps
        >>> [(trace.name, trace.y.tolist()) for trace in tensor_gaps(made_up.GAPS).data]
        [('populations', [0.4, 0.1]), ('un-noised fits of 100,000 documents', [0.3, 0.5])]
    """
    figure = Figure()
    for source, name, shade, symbol, dash in (
        ("population", "populations", theme.PRIVATE, "circle", "solid"),
        ("corpus", "un-noised fits of 100,000 documents", theme.EXACT, "square-open", "7px,4px"),
    ):
        by_topics = frame[frame["source"] == source].groupby("n_topics")["gap"]
        gaps = pd.DataFrame({share: by_topics.quantile(share) for share in (0.1, 0.5, 0.9)})
        figure.add_trace(
            scatter(
                x=gaps.index,
                y=gaps[0.5],
                customdata=gaps[[0.1, 0.9]].to_numpy(),
                name=name,
                mode="lines+markers",
                line={"color": shade, "dash": dash, "width": 2.2},
                marker={"symbol": symbol, "size": 9},
                hovertemplate="gap %{y:.3g} at k = %{x}<br>10–90 %: %{customdata[0]:.2g} to %{customdata[1]:.2g}"
                f"<extra>{name}</extra>",
            )
        )
    figure.update_xaxes(dict(title_text="topics k", showgrid=False))
    figure.update_yaxes(dict(title_text="smallest gap of T", type="log", exponentformat="power", nticks=6))
    return theme.finish(figure, title=tensor_gaps_finding(frame), height=420)


def tensor_gaps_finding(frame: pd.DataFrame) -> str:
    """Whether gaps grow with k, a sentence.

    Example:
        >>> from dplda.figures import made_up, tensor_gaps_finding
        >>> print(tensor_gaps_finding(made_up.GAPS))
        From k = 2 to 9 the smallest gap shrinks in the population and grows in what a corpus shows of it
    """
    medians = frame.groupby(["source", "n_topics"])["gap"].median()
    said = []
    for source, name in (("population", "in the population"), ("corpus", "in what a corpus shows of it")):
        said.append((_course(medians.loc[source].sort_index()), name))
    (first, one), (second, other) = said
    text = f"{first} {one} and {other}" if first == second else f"{first} {one} and {second} {other}"
    return f"From k = {frame['n_topics'].min()} to {frame['n_topics'].max()} the smallest gap {text}"


def _course(gaps: "pd.Series[float]") -> str:
    """What gaps do from the smallest k to the largest; a summit or a dip between the two is said too."""
    first, last = gaps.iloc[0], gaps.iloc[-1]
    if gaps.max() > TURNS * max(first, last):
        return f"grows up to k = {gaps.idxmax()}, then shrinks"
    if gaps.min() * TURNS < min(first, last):
        return f"shrinks up to k = {gaps.idxmin()}, then grows"
    return "grows" if last > first else "shrinks"


def tensor_gaps_alt(frame: pd.DataFrame) -> str:
    """The figure in words.

    Example:
        >>> from dplda.figures import made_up, tensor_gaps_alt
        >>> print(tensor_gaps_alt(made_up.GAPS))
        From k = 2 to 9 the smallest gap shrinks in the population and grows in what a corpus shows of it. k = 2:
        population 0.4, corpus 0.3; k = 9: population 0.1, corpus 0.5.
    """
    medians = frame.groupby(["n_topics", "source"])["gap"].median().unstack()
    said = [
        f"k = {k}: population {population:.2g}, corpus {corpus:.2g}"
        for k, population, corpus in zip(medians.index, medians["population"], medians["corpus"], strict=True)
    ]
    return f"{tensor_gaps_finding(frame)}. " + "; ".join(said) + "."
