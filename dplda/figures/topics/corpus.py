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
    """Histogram of the vocabulary words per document, in at most about ``BINS`` bars.

    The title has the median length.

    Args:
        lengths: shape (N,), at least one.
        unit: what a document is called, such as a person.
        watermark: written across the figure; empty for none.
    """
    longest_length = int(np.max(lengths, initial=1))
    bar_width = max(1, -(-longest_length // BINS))
    edges = np.arange(0, longest_length + bar_width + 1, bar_width)
    heights, _ = np.histogram(lengths, bins=edges)
    first_lengths = edges[:-1]
    lengths_of_bars = [
        _lengths_of_bar(first_length, bar_width) for first_length in first_lengths.tolist()
    ]
    drawing = Drawing(
        bar(
            x=first_lengths + (bar_width - 1) / 2,
            y=heights,
            width=bar_width * 0.94,
            marker_color=theme.PRIVATE,
            customdata=lengths_of_bars,
            hovertemplate=f"%{{customdata}} words: %{{y:,}} {unit}s<extra></extra>",
        )
    )
    drawing.x(dict(title_text=f"words per {unit}", showgrid=False))
    drawing.y(dict(title_text=f"{unit}s"))
    short_length, median_length, long_length = np.quantile(lengths, [0.1, 0.5, 0.9])
    title = f"Half the {unit}s have at most {median_length:,.0f} words"
    alt = (
        f"Histogram of {unit} lengths: a tenth of the {unit}s have at most {short_length:,.0f}"
        f" words, half at most {median_length:,.0f}, nine tenths at most {long_length:,.0f};"
        f" the longest has {np.max(lengths):,}."
    )
    return Figure(title, alt, 320, drawing, watermark)


def _lengths_of_bar(first_length: int, bar_width: int) -> str:
    """The document lengths that a bar counts: a range, or a single length."""
    if bar_width == 1:
        return str(first_length)
    return f"{first_length} to {first_length + bar_width - 1}"


def frequent_words(
    words: Sequence[str], shares: Sequence[float], *, unit: str = "document", watermark: str = ""
) -> Figure:
    """The most frequent words, with the fraction of documents that use each.

    A bar far longer than the first few usually are is cut, with a mark and its number. The title
    has the fraction of the first word, and the text for those who do not see it every fraction.

    Args:
        words: at least one, the most frequent first.
        shares: fraction of documents that use each word.
        unit: what a document is called, such as a person.
        watermark: written across the figure; empty for none.
    """
    axis_end = shared_axis_end(shares[:LEADING_WORDS], max(shares))
    shown_words = [theme.plain(word) for word in words]
    label_texts = [
        _bar_label(shown_word, share, axis_end)
        for shown_word, share in zip(shown_words, shares, strict=True)
    ]
    rows = np.arange(len(words))
    drawing = Drawing(
        bar(
            x=list(shares),
            y=rows,
            orientation="h",
            marker={"color": theme.PRIVATE, "opacity": 0.42},
            customdata=shown_words,
            hovertemplate=f"%{{customdata}}: %{{x:.1%}} of {unit}s<extra></extra>",
        ),
        scatter(
            x=np.zeros(len(words)),
            y=rows,
            mode="text",
            text=label_texts,
            textposition="middle right",
            textfont={"size": theme.LETTERS, "color": theme.INK},
            hoverinfo="skip",
        ),
    )
    drawing.x(dict(title_text=f"{unit}s that use the word", tickformat=".0%", rangemode="tozero"))
    if any(share > axis_end for share in shares):
        drawing.x(dict(range=[0, axis_end]))
    drawing.y(dict(visible=False, range=[len(words) - 0.4, -0.6]))
    drawing.set(dict(showlegend=False, bargap=0.12))
    title = f"The top word occurs in {shares[0]:.0%} of {unit}s"
    shares_in_words = ", ".join(
        f"{word} in {share:.0%} of {unit}s" for word, share in zip(words, shares, strict=True)
    )
    alt = f"Most frequent words: {shares_in_words}"
    return Figure(title, alt, 110 + 20 * len(words), drawing, watermark)


def _bar_label(shown_word: str, share: float, axis_end: float) -> str:
    """A word on its bar; a bar that goes on beyond the axis has its number, too."""
    if share > axis_end:
        return f"{shown_word} · {share:.0%} {CUT_MARK}"
    return shown_word


def spectrum(
    private: Vector,
    *,
    noise_floor: float,
    rising: int,
    exact: Vector | None = None,
    watermark: str = "",
) -> Figure:
    """Positive eigenvalues by rank on a logarithmic axis, filled where they exceed the noise floor.

    Args:
        private: leading eigenvalues of the noisy M2, largest first, shape (k + 1,).
        noise_floor: the eigenvalue that noise alone would produce; 0 where none is added, so that
            no floor is drawn, and title and alt text count no directions.
        rising: number of the k directions that rise above the noise, for title and alt text.
        exact: the same eigenvalues without noise, where they may be shown; None for none.
        watermark: written across the figure; empty for none.
    """
    n_topics = len(private) - 1
    drawing = Drawing()
    if exact is not None:
        exact_symbols = ["diamond-open"] * len(exact)
        drawing.add(_eigenvalue_points("without noise", exact, theme.EXACT, exact_symbols))
    private_symbols = [_eigenvalue_symbol(value, noise_floor) for value in private]
    drawing.add(_eigenvalue_points("private", private, theme.PRIVATE, private_symbols))
    tick_distance = 1 if n_topics < 16 else 5
    drawing.x(dict(title_text="rank of the eigenvalue", dtick=tick_distance, showgrid=False))
    drawing.y(dict(title_text="eigenvalue of M₂ (probability)", type="log", exponentformat="power"))
    range_text = f"from {private[0]:.2g} down to {private[-1]:.2g}"
    if noise_floor > 0:
        _draw_noise_floor(drawing, noise_floor)
        title = f"{rising} of {n_topics} directions rise above the noise"
        alt = (
            f"Eigenvalues of the noisy pair moment {range_text};"
            f" the noise floor is at {noise_floor:.2g}, and {rising} of {n_topics} are above it"
        )
    else:
        title = "The method uses the leading eigenvalues as they are"
        alt = f"Eigenvalues of the pair moment {range_text}"
    if exact is not None:
        alt += f". Without noise they range from {exact[0]:.2g} down to {exact[-1]:.2g}"
    return Figure(title, f"{alt}.", 380, drawing, watermark)


def _eigenvalue_symbol(value: float, noise_floor: float) -> str:
    """A filled circle above the noise floor, else an empty one."""
    if value > noise_floor:
        return "circle"
    return "circle-open"


def _draw_noise_floor(drawing: Drawing, noise_floor: float) -> None:
    """Draw a dashed line at the noise floor, with its name at the right end.

    The floor has to be above 0, as the axis is logarithmic.
    """
    drawing.hline(noise_floor, dict(color=theme.FLOOR, dash="dash", width=2))
    drawing.annotate(
        {
            "x": 1,
            "xref": "paper",
            "xanchor": "right",
            "y": np.log10(noise_floor),
            "yanchor": "bottom",
            "text": "noise floor",
        }
    )


def _eigenvalue_points(name: str, values: Vector, colour: str, symbols: list[str]) -> Part:
    """Eigenvalues by rank from 1, with a symbol each; those that are not positive are left out."""
    is_positive = values > 0
    positive_ranks = np.arange(1, len(values) + 1)[is_positive].tolist()
    positive_values = values[is_positive].tolist()
    shown_symbols = np.array(symbols)[is_positive].tolist()
    trace = curve(
        name, positive_ranks, positive_values, colour, "rank %{x}: %{y:.3g}", width=1, size=10
    )
    marker = {"symbol": shown_symbols, "color": colour, "line": {"width": 2}}
    return put(trace, {"marker": marker})
