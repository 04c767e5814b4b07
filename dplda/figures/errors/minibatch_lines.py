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
        as_printed: where the mean of a minibatch is; drawn thin and under one name.
        noiseless: perplexity without noise.
        title: the finding.
    """
    drawing = Drawing()
    sizes = sorted({one.mean_size for one in curves})
    for printed in as_printed:
        if printed.accounting is PaperAccounting.MOMENTS:
            drawing.add(_draw_printed(printed, is_first=printed is as_printed[0]))
    for one in curves:
        drawing.add(_draw_curve(one, theme.PALETTE[sizes.index(one.mean_size)]))
    every_curve = (*curves, *as_printed)
    epsilons = [epsilon for one in every_curve for epsilon in one.epsilons]
    perplexities = [value for one in every_curve for value in one.perplexities] + [noiseless]
    low, high = min(perplexities) / ROOM, max(perplexities) * ROOM
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
            range=[math.log10(low), math.log10(high)],
            **log_ticks(low, high),
        )
    )
    return Figure(title, _describe(title, curves, as_printed, noiseless), HEIGHT, drawing)


def _draw_curve(one: MinibatchCurve, color: str) -> Part:
    is_moments = one.accounting is PaperAccounting.MOMENTS
    size = f"S = {one.mean_size:,.0f}"
    drawn = curve(
        size if is_moments else f"{size}, {one.accounting.in_words}",
        one.epsilons,
        one.perplexities,
        color,
        "perplexity %{y:.4g} at ε = %{x:.3g}, σ = %{customdata}",
        dash=DASHES[one.accounting],
        symbol=SYMBOLS[one.accounting],
    )
    return drawn | {
        "customdata": list(one.noise_multipliers),
        "legendgroup": size,
        "showlegend": is_moments,
    }


def _draw_printed(one: MinibatchCurve, *, is_first: bool) -> Part:
    """A thin line; the first one names them all."""
    drawn = curve(
        AS_PRINTED,
        one.epsilons,
        one.perplexities,
        theme.MUTED,
        f"S = {one.mean_size:,.0f}: perplexity %{{y:.4g}} at ε = %{{x:.3g}}, σ = %{{customdata}}",
        dash="2px,3px",
        width=1.4,
        symbol="x",
        size=5,
    )
    return drawn | {
        "customdata": list(one.noise_multipliers),
        "legendgroup": AS_PRINTED,
        "showlegend": is_first,
    }


def _describe(
    title: str,
    curves: Sequence[MinibatchCurve],
    as_printed: Sequence[MinibatchCurve],
    noiseless: float,
) -> str:
    """Every curve at its ends, for readers who do not see it."""
    sentences = [f"{title}. Held-out perplexity over ε; {noiseless:.4g} without noise."]
    for one in curves:
        sentences.append(
            f"S = {one.mean_size:,.0f}, {one.accounting.in_words}: {one.perplexities[0]:.4g} at"
            f" ε = {one.epsilons[0]:.3g} to {one.perplexities[-1]:.4g} at"
            f" ε = {one.epsilons[-1]:.3g}."
        )
    if as_printed:
        values = [value for one in as_printed for value in one.perplexities]
        sentences.append(f"{AS_PRINTED.capitalize()}: {min(values):.4g} to {max(values):.4g}.")
    return " ".join(sentences)
