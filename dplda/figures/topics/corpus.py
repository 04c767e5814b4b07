"""Overview of a corpus: document lengths, frequent words, and eigenvalues of its pair moment."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dplda.core.types import Vector
from dplda.figures import theme
from dplda.figures.bar_axis import CUT_MARK, shared_axis_end
from dplda.figures.drawing import Drawing, Part, bar, curve, put, scatter
from dplda.figures.figure import Figure

BINS = 40
LEADING_WORDS = 5  # whose median share is typical, for the end of the axis of frequent words


def document_lengths(
    lengths: NDArray[np.int64], *, unit: str = "document", watermark: str = ""
) -> Figure:
    """Histogram of the vocabulary words per document, from ``lengths`` of shape (N,)."""
    longest = int(np.max(lengths, initial=1))
    width = max(1, -(-longest // BINS))
    edges = np.arange(0, longest + width + 1, width)
    heights, _ = np.histogram(lengths, bins=edges)
    spans = [
        str(edge) if width == 1 else f"{edge} to {edge + width - 1}" for edge in edges[:-1].tolist()
    ]
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
    drawing.x(dict(title_text=f"words per {unit}", showgrid=False))
    drawing.y(dict(title_text=f"{unit}s"))
    low, middle, high = np.quantile(lengths, [0.1, 0.5, 0.9])
    alt = (
        f"Histogram of {unit} lengths: a tenth of the {unit}s have at most {low:,.0f} words, half at most"
        f" {middle:,.0f}, nine tenths at most {high:,.0f}; the longest has {np.max(lengths):,}."
    )
    return Figure(
        f"Half the {unit}s have at most {middle:,.0f} words", alt, 320, drawing, watermark
    )


def frequent_words(
    words: Sequence[str], shares: Sequence[float], *, unit: str = "document", watermark: str = ""
) -> Figure:
    """The most frequent words, with the fraction of documents that use each.

    Args:
        words: at least one, the most frequent first.
        shares: fraction of documents that use each word.
        unit: what a document is called, such as a person.
        watermark: written across the figure; empty for none.
    """
    axis_end = shared_axis_end(shares[:LEADING_WORDS], max(shares))
    is_cut = [share > axis_end for share in shares]
    labels = [theme.plain(word) for word in words]
    texts = [
        f"{label} · {share:.0%} {CUT_MARK}" if cut else label
        for label, share, cut in zip(labels, shares, is_cut, strict=True)
    ]
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
            text=texts,
            textposition="middle right",
            textfont={"size": 13, "color": theme.INK},
            hoverinfo="skip",
        ),
    )
    drawing.x(dict(title_text=f"{unit}s that use the word", tickformat=".0%", rangemode="tozero"))
    if any(is_cut):
        drawing.x(dict(range=[0, axis_end]))
    drawing.y(dict(visible=False, range=[len(words) - 0.4, -0.6]))
    drawing.set(dict(showlegend=False, bargap=0.12))
    title = f"The top word occurs in {shares[0]:.0%} of {unit}s"
    listed = ", ".join(
        f"{word} in {share:.0%} of {unit}s" for word, share in zip(words, shares, strict=True)
    )
    alt = f"Most frequent words: {listed}"
    return Figure(title, alt, 110 + 20 * len(words), drawing, watermark)


def spectrum(
    private: Vector,
    *,
    noise_floor: float,
    rising: int,
    exact: Vector | None = None,
    watermark: str = "",
) -> Figure:
    """Positive eigenvalues by rank on a logarithmic axis.

    Args:
        private: leading eigenvalues of the noisy M2, largest first, shape (k + 1,).
        noise_floor: the eigenvalue that noise alone would produce, ≥ 0.
        exact: the same without noise, where it may be shown.
    """
    k = len(private) - 1
    drawing = Drawing()
    if exact is not None:
        drawing.add(_points("without noise", exact, theme.EXACT, ["diamond-open"] * len(exact)))
    symbols = ["circle" if value > noise_floor else "circle-open" for value in private]
    drawing.add(_points("private", private, theme.PRIVATE, symbols))
    drawing.x(dict(title_text="rank of the eigenvalue", dtick=1 if k < 16 else 5, showgrid=False))
    drawing.y(dict(title_text="eigenvalue of M₂ (probability)", type="log", exponentformat="power"))
    title, said = (
        "The method uses the leading eigenvalues as they are",
        "Eigenvalues of the pair moment",
    )
    span = f" from {private[0]:.2g} down to {private[-1]:.2g}"
    if noise_floor > 0:
        drawing.hline(noise_floor, dict(color=theme.FLOOR, dash="dash", width=2))
        where = {
            "x": 1,
            "xref": "paper",
            "xanchor": "right",
            "y": np.log10(noise_floor),
            "yanchor": "bottom",
        }
        drawing.annotate(where | {"text": "noise floor"})
        title, said = (
            f"{rising} of {k} directions rise above the noise",
            "Eigenvalues of the noisy pair moment",
        )
        span += f"; the noise floor is at {noise_floor:.2g}, and {rising} of {k} are above it"
    if exact is not None:
        span += f". Without noise they range from {exact[0]:.2g} down to {exact[-1]:.2g}"
    return Figure(title, f"{said}{span}.", 380, drawing, watermark)


def _points(name: str, values: Vector, colour: str, symbols: list[str]) -> Part:
    shown = values > 0
    ranks, marks = np.arange(1, len(values) + 1)[shown].tolist(), np.array(symbols)[shown].tolist()
    drawn = curve(
        name, ranks, values[shown].tolist(), colour, "rank %{x}: %{y:.3g}", width=1, size=10
    )
    return put(drawn, {"marker": {"symbol": marks, "color": colour, "line": {"width": 2}}})
