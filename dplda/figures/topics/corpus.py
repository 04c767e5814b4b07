"""What a corpus looks like: how long its documents are, and which words they use."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dplda.figures import theme
from dplda.figures.drawing import Drawing, bar, scatter
from dplda.figures.figure import Figure

BINS = 40


def document_lengths(lengths: NDArray[np.int64], *, unit: str = "document", watermark: str = "") -> Figure:
    """How many documents have how many words.

    Args:
        lengths: vocabulary words in each document, shape (N,).
    """
    longest = int(np.max(lengths, initial=1))
    width = max(1, -(-longest // BINS))
    edges = np.arange(0, longest + width + 1, width)
    heights, _ = np.histogram(lengths, bins=edges)
    spans = [str(edge) if width == 1 else f"{edge} to {edge + width - 1}" for edge in edges[:-1].tolist()]
    drawing = Drawing(
        bar(
            x=edges[:-1] + (width - 1) / 2,
            y=heights,
            width=width * 0.94,
            marker_color=theme.PRIVATE,
            customdata=spans,
            hovertemplate=f"%{{customdata}} words: %{{y:,}} {unit}s<extra></extra>",
        )
    )
    drawing.x(dict(title_text=f"vocabulary words of a {unit}", showgrid=False))
    drawing.y(dict(title_text=f"{unit}s"))
    low, middle, high = np.quantile(lengths, [0.1, 0.5, 0.9])
    alt = (
        f"Histogram of {unit} lengths: a tenth of the {unit}s have at most {low:,.0f} words, half at most"
        f" {middle:,.0f}, nine tenths at most {high:,.0f}; the longest has {np.max(lengths):,}."
    )
    return Figure(f"Half the {unit}s have at most {middle:,.0f} words", alt, 320, drawing, watermark)


def frequent_words(
    words: Sequence[str],
    shares: Sequence[float],
    *,
    unit: str = "document",
    watermark: str = "",
) -> Figure:
    """The most frequent words.

    Args:
        words: most frequent first, at least one.
        shares: fraction of documents that use each.
    """
    labels = [theme.plain(word) for word in words]
    rows = np.arange(len(words))
    drawing = Drawing(
        bar(
            x=list(shares),
            y=rows,
            orientation="h",
            marker={"color": theme.PRIVATE, "opacity": 0.42},
            customdata=labels,
            hovertemplate=f"%{{customdata}}: %{{x:.1%}} of {unit}s<extra></extra>",
        ),
        scatter(
            x=np.zeros(len(words)),
            y=rows,
            mode="text",
            text=labels,
            textposition="middle right",
            textfont={"size": 13, "color": theme.INK},
            hoverinfo="skip",
        ),
    )
    drawing.x(dict(title_text=f"{unit}s that use the word", tickformat=".0%", rangemode="tozero"))
    drawing.y(dict(visible=False, range=[len(words) - 0.4, -0.6]))
    drawing.set(dict(showlegend=False, bargap=0.12))
    title = f"The top word occurs in {shares[0]:.0%} of {unit}s"
    said = ", ".join(f"{word} in {share:.0%} of {unit}s" for word, share in zip(words, shares, strict=True))
    return Figure(title, f"Most frequent words: {said}", 110 + 20 * len(words), drawing, watermark)
