"""Text and pictures as HTML: whatever comes from outside is escaped here, and nowhere else."""

import html
from collections.abc import Iterable, Sequence

from dplda.core.types import Matrix, Vector
from dplda.figures import theme
from dplda.release.report import style

LONGEST_WORD = 40  # letters shown of a word
PLANE = (640, 400)  # width and height of the map, in its own units
MARGIN, LARGEST = 20, 62  # of the map: beside the outermost circles; radius of one with all words


def text(outside: str) -> str:
    """Text from outside, such as words of a corpus: markup is shown, never obeyed; what cannot be seen is marked."""
    return html.escape("".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in outside))


def word(outside: str) -> str:
    """A word of the vocabulary, cut where it is no word."""
    return text(outside if len(outside) <= LONGEST_WORD else outside[: LONGEST_WORD - 1] + "…")


def bullets(sentences: Iterable[str]) -> str:
    """A list of sentences from the program, each with a capital."""
    return "<ul>" + "".join(f"<li>{text(said[:1].upper() + said[1:])}</li>" for said in sentences) + "</ul>"


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table that scrolls by itself on a narrow screen; cells are text, the first of each row its heading."""
    head = "".join(f'<th scope="col">{text(column)}</th>' for column in columns)
    body = "".join(
        f'<tr><th scope="row">{text(first)}</th>{"".join(f"<td>{text(cell)}</td>" for cell in cells)}</tr>'
        for first, *cells in rows
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{text(caption)}"><table><caption>{text(caption)}'
        f"</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def bar(value: float, longest: float, colour: str, ends: tuple[float, float] | None = None) -> str:
    """A bar with whiskers, for the eye alone: its number stands beside it."""
    interval = ""
    if ends is not None:
        low, high = (100 * min(end / longest, 1.0) for end in ends)
        interval = f'<line x1="{low:.2f}" x2="{high:.2f}" y1="8.5" y2="8.5" class="whisker"/>'
    return (
        '<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="{100 * value / longest:.2f}" height="10" fill="{colour}" fill-opacity="{style.OPACITY}"/>'
        f"{interval}</svg>"
    )


def plane(points: Matrix, shares: Vector, letters: Sequence[str], titles: Sequence[str]) -> str:
    """The map: a circle a topic, its area the topic's share, large ones behind small ones."""
    radii = LARGEST * shares**0.5
    width, height = PLANE
    spans = points.max(axis=0) - points.min(axis=0)
    outer = MARGIN + float(radii.max())
    room = (width - 2 * outer, height - 2 * outer)
    scale = min((side / span for side, span in zip(room, spans, strict=True) if span > 0), default=0.0)
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    circles = []
    for i in sorted(range(len(points)), key=lambda i: -shares[i]):
        x = width / 2 + scale * float(points[i, 0] - middle[0])
        y = height / 2 - scale * float(points[i, 1] - middle[1])
        colour = theme.topic_colour(i + 1)
        circles.append(
            f'<g><title>{text(letters[i])}: {text(titles[i])}</title><circle cx="{x:.1f}" cy="{y:.1f}"'
            f' r="{max(radii[i], 5.0):.1f}" fill="{colour}" stroke="{colour}"/>'
            f'<text x="{x:.1f}" y="{y:.1f}">{text(letters[i])}</text></g>'
        )
    return (
        f'<svg class="map" viewBox="0 0 {width} {height}" role="img" aria-labelledby="map-title map-said">'
        f'<title id="map-title">Map of topics</title>{"".join(circles)}</svg>'
    )
