"""A drawing of what a release protects: one document of a person, or all of them."""

from urllib.parse import quote

from dplda.figures import theme

LETTERS_OF_PEOPLE = (1, 4, 2)
"""Documents of each invented person, in the order of rows."""
PROTECTED_PERSON = 1
"""Index of the person whose documents the drawing protects."""
ROW = 44
WIDTH = 300
ACCENT = theme.Shade("#2457c5", "#8ab0ff")
LETTER_WIDTH = 34
LETTER_HEIGHT = 24
FIRST_LETTER = 62
NEXT_LETTER = 52


def protected_unit(*, is_person: bool, dark: bool = False) -> str:
    """HTML image of three people with their documents; those protected together are in a frame.

    Args:
        is_person: whether all documents of a person are protected together, or one alone.
        dark: whether the page is dark.
    """
    accent = ACCENT.on(dark=dark)
    quiet = theme.QUIET.on(dark=dark)
    elements = []
    for row, n_letters in enumerate(LETTERS_OF_PEOPLE):
        middle_y = ROW * row + ROW // 2 + 2
        n_protected = 0
        if row == PROTECTED_PERSON:
            n_protected = n_letters if is_person else 1
            elements.append(_draw_frame(middle_y, n_protected, accent))
        elements.append(_draw_person(middle_y, quiet))
        for letter_number in range(n_letters):
            color = accent if letter_number < n_protected else quiet
            elements.append(
                _draw_letter(FIRST_LETTER + NEXT_LETTER * letter_number, middle_y, color)
            )
    height = ROW * len(LETTERS_OF_PEOPLE) + 4
    svg_text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" fill="none"'
        f' stroke-width="2">{"".join(elements)}</svg>'
    )
    framed_text = "one document of one of them"
    if is_person:
        framed_text = "all four documents of one of them"
    alt = f"Three people with one, four and two documents; {framed_text} in a frame."
    return f'<img class="protected-unit" alt="{alt}" src="data:image/svg+xml,{quote(svg_text)}">'


def _draw_frame(middle: int, n_letters: int, color: str) -> str:
    """A dashed frame around the first documents of a row."""
    width = NEXT_LETTER * (n_letters - 1) + LETTER_WIDTH + 14
    return (
        f'<rect x="{FIRST_LETTER - 7}" y="{middle - 19}" width="{width}" height="38" rx="8"'
        f' stroke="{color}" stroke-dasharray="5 4"/>'
    )


def _draw_person(middle: int, color: str) -> str:
    """Head and shoulders."""
    return (
        f'<g stroke="{color}"><circle cx="24" cy="{middle - 8}" r="6"/>'
        f'<path d="M12 {middle + 14}a12 12 0 0 1 24 0"/></g>'
    )


def _draw_letter(x: int, middle: int, color: str) -> str:
    """A document as an envelope."""
    top = middle - LETTER_HEIGHT // 2
    flap = f"M{x} {top + 3}l{LETTER_WIDTH // 2} 10l{LETTER_WIDTH // 2} -10"
    return (
        f'<g stroke="{color}"><rect x="{x}" y="{top}" width="{LETTER_WIDTH}"'
        f' height="{LETTER_HEIGHT}" rx="3"/><path d="{flap}"/></g>'
    )
