"""Perplexity over ε by size of the minibatch, under two accountings of the same noise."""

import math
from collections.abc import Sequence

from dplda.experiments.papers.minibatch_curves import MinibatchCurve, PaperAccounting
from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part, curve
from dplda.figures.figure import Figure
from dplda.figures.marks import label_line, log_ticks

HEIGHT = 400  # pixels
DASHES = {PaperAccounting.MOMENTS: "solid", PaperAccounting.STRONG: "7px,4px"}
SYMBOLS = {PaperAccounting.MOMENTS: "circle", PaperAccounting.STRONG: "square-open"}
AS_PRINTED = "as printed"
ROOM = 1.06  # relative room below the smallest perplexity and above the largest


def minibatch_lines(
    curves: Sequence[MinibatchCurve],
    *,
    as_printed: Sequence[MinibatchCurve],
    noiseless: float,
    title: str,
) -> Figure:
    """Perplexity over ε, a color for each size and a dash for each accounting.

    The legend names the sizes alone, so that it stays short on a phone.

    Args:
        curves: where every document is scaled down; at least one.
        as_printed: where the mean of a minibatch is; drawn thin and under one name. Only those of
            the moments accountant are drawn; axes and alt text hold all.
        noiseless: perplexity without noise.
        title: the finding.
    """
    drawing = Drawing()
    printed_curves = [
        minibatch_curve
        for minibatch_curve in as_printed
        if minibatch_curve.accounting is PaperAccounting.MOMENTS
    ]
    for printed_curve in printed_curves:
        drawing.add(_printed_line(printed_curve, is_first=printed_curve is printed_curves[0]))
    sizes = sorted({size_curve.mean_size for size_curve in curves})
    for size_curve in curves:
        drawing.add(_scaled_line(size_curve, theme.PALETTE[sizes.index(size_curve.mean_size)]))
    every_curve = (*curves, *as_printed)
    epsilons = [epsilon for size_curve in every_curve for epsilon in size_curve.epsilons]
    perplexities = [value for size_curve in every_curve for value in size_curve.perplexities]
    perplexities.append(noiseless)
    axis_low = min(perplexities) / ROOM
    axis_high = max(perplexities) * ROOM
    drawing.hline(noiseless, dict(color=theme.FLOOR, dash="dash", width=1.5))
    label_line(drawing, math.log10(noiseless), "without noise")
    drawing.x(
        dict(
            title_text="privacy budget ε of one epoch",
            type="log",
            showgrid=False,
            **log_ticks(min(epsilons), max(epsilons)),
        )
    )
    drawing.y(
        dict(
            title_text="held-out perplexity",
            type="log",
            range=[math.log10(axis_low), math.log10(axis_high)],
            **log_ticks(axis_low, axis_high),
        )
    )
    return Figure(title, _describe(title, curves, as_printed, noiseless), HEIGHT, drawing)


def _scaled_line(minibatch_curve: MinibatchCurve, color: str) -> Part:
    """A line of its size's color.

    That of the moments accountant stands for the size in the legend.
    """
    is_moments = minibatch_curve.accounting is PaperAccounting.MOMENTS
    size_text = f"S = {minibatch_curve.mean_size:,.0f}"
    name = size_text
    if not is_moments:
        name = f"{size_text}, {minibatch_curve.accounting.in_words}"
    trace = curve(
        name,
        minibatch_curve.epsilons,
        minibatch_curve.perplexities,
        color,
        "perplexity %{y:.4g} at ε = %{x:.3g}, σ = %{customdata}",
        dash=DASHES[minibatch_curve.accounting],
        symbol=SYMBOLS[minibatch_curve.accounting],
    )
    return trace | {
        "customdata": list(minibatch_curve.noise_multipliers),
        "legendgroup": size_text,
        "showlegend": is_moments,
    }


def _printed_line(minibatch_curve: MinibatchCurve, *, is_first: bool) -> Part:
    """A thin gray line; the first one names them all in the legend."""
    size_text = f"S = {minibatch_curve.mean_size:,.0f}"
    trace = curve(
        AS_PRINTED,
        minibatch_curve.epsilons,
        minibatch_curve.perplexities,
        theme.MUTED,
        f"{size_text}: perplexity %{{y:.4g}} at ε = %{{x:.3g}}, σ = %{{customdata}}",
        dash="2px,3px",
        width=1.4,
        symbol="x",
        size=5,
    )
    return trace | {
        "customdata": list(minibatch_curve.noise_multipliers),
        "legendgroup": AS_PRINTED,
        "showlegend": is_first,
    }


def _describe(
    title: str,
    curves: Sequence[MinibatchCurve],
    as_printed: Sequence[MinibatchCurve],
    noiseless: float,
) -> str:
    """Every curve at its ends, and the range of all as printed, for readers who do not see them."""
    sentences = [f"{title}. Held-out perplexity over ε; {noiseless:.4g} without noise."]
    for size_curve in curves:
        sentences.append(
            f"S = {size_curve.mean_size:,.0f}, {size_curve.accounting.in_words}:"
            f" {size_curve.perplexities[0]:.4g} at ε = {size_curve.epsilons[0]:.3g} to"
            f" {size_curve.perplexities[-1]:.4g} at ε = {size_curve.epsilons[-1]:.3g}."
        )
    if as_printed:
        printed_perplexities = [
            value for size_curve in as_printed for value in size_curve.perplexities
        ]
        sentences.append(
            f"{AS_PRINTED.capitalize()}: {min(printed_perplexities):.4g} to"
            f" {max(printed_perplexities):.4g}."
        )
    return " ".join(sentences)
