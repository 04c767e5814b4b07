"""Known topics as found: one row per section, its leading words as bars that fade with its error."""

from collections.abc import Sequence
from dataclasses import dataclass

from dplda.figures import theme
from dplda.figures.drawing import Drawing, bar, scatter
from dplda.figures.figure import Figure

NEAR = 0.5  # L1 distance from the true topic, of at most 2, within which a section counts as found
LONGEST = 0.08  # probability of a bar as wide as its place
SHARP = 0.5  # opacity of the bars of a section without error
BELOW = 0.46  # rows from a section's name to its words
FAINT = theme.Shade("#68717f", "#98a2b3")  # ink of sections not found


@dataclass(frozen=True, slots=True)
class LearnedSection:
    """A section as found: its leading words, their probabilities, and its L1 distance from the truth."""

    title: str
    words: Sequence[str]
    shares: Sequence[float]
    error: float

    @property
    def found(self) -> bool:
        """Whether it is within ``NEAR`` of the true section."""
        return self.error < NEAR


def sections(learned: Sequence[LearnedSection]) -> Figure:
    """The rows of sections, in the order given."""
    number = sum(each.found for each in learned)
    title = f"{number} of {len(learned)} sections found" if number else "No section found"
    drawing = Drawing()
    for row, each in enumerate(learned):
        colour, ink = theme.topic_colour(row + 1), theme.INK if each.found else FAINT
        name = f"<b>{each.title}</b>" if each.found else f"{each.title}: too noisy"
        text = f'<span style="color:{colour}">■</span> {name}' if each.found else f"□ {name}"
        drawing.annotate(
            dict(
                text=text, x=0, y=row, xanchor="left", font={"size": 13, "color": ink}, borderpad=0
            )
        )
        places, rows = list(range(len(each.words))), [row + BELOW] * len(each.words)
        words = [theme.plain(word) for word in each.words]
        bars = bar(
            x=[min(share / LONGEST, 1) for share in each.shares],
            base=places,
            y=rows,
            orientation="h",
            width=0.42,
            marker={
                "color": colour,
                "opacity": SHARP * max(0.1, 1 - each.error),
                "line": {"width": 0},
            },
            text=words,
            textposition="none",
            hovertemplate=f"%{{text}}: {each.title}, L1 error {each.error:.2f}<extra></extra>",
        )
        written = dict(
            textposition="middle right", textfont={"size": 13, "color": ink}, cliponaxis=False
        )
        shifted = [place + 0.02 for place in places]
        drawing.add(
            bars, scatter(x=shifted, y=rows, mode="text", text=words, hoverinfo="skip", **written)
        )
    hidden = dict(visible=False, fixedrange=True)
    drawing.x(hidden | dict(range=[-0.02, max(len(each.words) for each in learned)]))
    drawing.y(hidden | dict(range=[len(learned) - 0.25, -0.2]))
    drawing.set(dict(showlegend=False, barmode="overlay", title_font_size=20, margin_t=44))
    said = "; ".join(
        f"{each.title}{'' if each.found else ' (too noisy)'}: {', '.join(each.words)}"
        for each in learned
    )
    return Figure(title, f"{title}. {said}.", 340, drawing)
