import numpy as np
import pytest

from dplda import figures
from dplda.figures import Lane, Slot, theme
from dplda.figures.topics.lanes import lane_as_found
from dplda.figures.topics.words import UNSUPPORTED
from tests.figures.checked import checked

NASTY = ("<b>bold</b>", "a&b", "$x^2$", "=cmd()", "w" * 100)
LANE = Lane(
    "private",
    (Slot(1, np.array([0.5, 0.2, 0.1, 0.1, 0.1]), 1.0, 0.87), Slot(2, None)),
    shows_overlap=True,
)


def texts(figure) -> list[str]:
    return [annotation.text for annotation in figure.layout.annotations]


def test_a_topic_below_the_noise_is_a_frame_and_no_bar() -> None:
    figure = checked(figures.top_words([LANE], NASTY, n_shown=3))
    bars = figure.data[0]
    assert len(bars.x) == 3
    assert "below the noise" in texts(figure)
    assert len(figure.layout.shapes) == 1
    assert any("87% signal" in text for text in texts(figure))


def test_words_are_text_and_never_markup() -> None:
    words = figures.frequent_words(NASTY, [0.5, 0.4, 0.3, 0.2, 0.1])
    for drawn in (figures.top_words([LANE], NASTY, n_shown=5), words):
        names = checked(drawn).data[1].text
        shown = " ".join(names)
        assert "<b>" not in shown
        assert "$" not in shown
        assert max(map(len, names)) < 40
        assert "&lt;b&gt;" in shown


def test_colour_and_number_go_together() -> None:
    full = Lane("x", tuple(Slot(i + 1, np.array([0.6, 0.4])) for i in range(14)))
    whole = checked(figures.top_words([full], ("one", "two"), n_shown=1))
    second = checked(figures.top_words([full], ("one", "two"), n_shown=1, first=7))
    assert list(whole.data[0].marker.color)[7:] == list(second.data[0].marker.color)
    assert len(set(theme.PALETTE)) == len(theme.PALETTE)
    assert theme.UNREADABLE not in map(theme.topic_colour, range(1, 30))


def doubtful(supported: bool) -> Lane:
    words = np.array([0.5, 0.3, 0.2])
    known = Slot(
        1, words, lower=words - 0.1, upper=words + np.array([0.4, 0.2, 0.1]), supported=supported
    )
    return Lane("private", (known, Slot(2, words), Slot(3, None)))


def test_whiskers_go_from_end_to_end_at_the_foot_of_their_bars() -> None:
    figure = checked(figures.top_words([doubtful(True)], ("one", "two", "three"), n_shown=2))
    bars, whiskers = (
        figure.data[0],
        next(trace for trace in figure.data if trace.name == "whiskers"),
    )
    assert list(whiskers.x) == [0.5, 0.3]
    np.testing.assert_allclose(whiskers.error_x.array, [0.4, 0.2])
    np.testing.assert_allclose(whiskers.error_x.arrayminus, [0.1, 0.1])
    assert all(0 < whisker - bar < 0.5 for whisker, bar in zip(whiskers.y, bars.y, strict=False))
    assert figure.layout.xaxis.range[1] > 0.9
    assert "0.4000 to 0.9000" in bars.customdata[0][1]
    assert "interval" not in bars.customdata[2][1]


@pytest.mark.parametrize("grey", [True, False])
def test_a_topic_without_evidence_is_grey_and_says_so(grey: bool) -> None:
    lane = doubtful(not grey)
    figure = checked(figures.top_words([lane], ("one", "two", "three"), n_shown=2))
    assert (figure.data[0].marker.color[0] == theme.UNREADABLE) == grey
    assert figure.data[0].marker.color[2] == theme.topic_colour(2)
    assert sum(UNSUPPORTED in text for text in texts(figure)) == grey
    assert (
        UNSUPPORTED in figures.top_words([lane], ("one", "two", "three"), n_shown=2).alt
    ) == grey


def test_the_spectrum_says_what_it_finds() -> None:
    noisy = np.array([4.0, 2.0, 0.9, 0.8])
    figure = checked(
        figures.spectrum(noisy, noise_floor=1.0, rising=2, exact=np.array([4.0, 2.0, 0.1, -0.1]))
    )
    assert "2 of 3 directions rise above the noise" in figure.layout.title.text
    assert figure.layout.yaxis.type == "log"
    assert figure.layout.shapes[0].y0 == 1.0
    exact, private = figure.data
    assert list(private.marker.symbol) == ["circle", "circle", "circle-open", "circle-open"]
    assert list(exact.y) == [4.0, 2.0, 0.1]
    alone = checked(figures.spectrum(noisy, noise_floor=0.0, rising=2))
    assert (len(alone.data), len(alone.layout.shapes)) == (1, 0)


@pytest.mark.parametrize("lengths", [np.array([0, 0, 0]), np.array([5]), np.arange(5000)])
def test_every_document_is_in_the_histogram(lengths) -> None:
    figure = checked(figures.document_lengths(lengths))
    assert int(np.sum(figure.data[0].y)) == len(lengths)
    assert len(figure.data[0].y) <= 42
    assert figures.document_lengths(lengths).alt


def test_the_watermark_is_on_every_figure_that_asks_for_it() -> None:
    drawn = (
        figures.top_words([LANE], NASTY, n_shown=3, watermark="Curator"),
        figures.spectrum(np.array([1.0, 0.5]), noise_floor=0.1, rising=1, watermark="Curator"),
        figures.document_lengths(np.arange(9), watermark="Curator"),
        figures.frequent_words(NASTY, [0.1] * 5, watermark="Curator"),
    )
    for figure in drawn:
        marks = [
            annotation
            for annotation in checked(figure).layout.annotations
            if annotation.name == "watermark"
        ]
        assert [mark.text for mark in marks] == ["Curator"]


def test_words_that_only_public_knowledge_has_are_gray() -> None:
    words, public = np.array([0.5, 0.3, 0.2]), np.array([True, False, False])
    slot = Slot(1, words, public=public, scores=np.array([0.0, 1, 2]))
    figure = checked(
        figures.top_words([Lane("private", (slot,))], ("one", "two", "three"), n_shown=3)
    )
    names = figure.data[1]
    assert list(names.text) == ["one", "two", "three"]
    assert list(names.textfont.color) == [theme.QUIET, theme.INK, theme.INK]
    topics, brought = (
        lane_as_found("released", np.array([words, words])),
        np.array([[0.2, 0.3, 0.5], words]),
    )
    table, raised = figures.beside_table(topics, brought, np.array([0.4, 0.3, 0.3]))
    assert (table.slots[0].words == brought[0]).all()
    assert np.isfinite(table.slots[0].scores).tolist() == [False, False, True], (
        "words that the table raises"
    )
    assert [np.isfinite(slot.scores).tolist() for slot in raised.slots] == [
        [True, False, False],
        [False] * 3,
    ]
    assert raised.slots[1].words is None, "no step moved it"


def test_one_word_of_one_topic_does_not_flatten_all_other_bars() -> None:
    usual = [Slot(number, np.array([0.05, 0.03, 0.02])) for number in (1, 2)]
    odd = Slot(3, np.array([0.95, 0.03, 0.02]))
    drawn = figures.top_words([Lane("private", (*usual, odd))], ("a", "b", "c"), n_shown=3)
    end = checked(drawn).layout.xaxis.range[1]
    assert 0.05 / end > 0.2, "a usual bar is seen"
    assert end < 0.95, "the odd one ends with the axis"


def test_bars_of_chosen_words_are_sorted_by_length() -> None:
    words = np.array([0.1, 0.2, 0.3, 0.4])
    slot = Slot(1, words, scores=np.array([4.0, 3.0, 2.0, 1.0]))
    figure = checked(
        figures.top_words([Lane("released", (slot,))], ("a", "b", "c", "d"), n_shown=3)
    )
    bars = next(trace for trace in figure.data if trace.type == "bar")
    assert list(bars.x) == [0.3, 0.2, 0.1], "the three with the largest scores, longest first"


def test_an_audit_names_a_line_once_it_has_runs() -> None:
    for runs, named in (((), 0), ((10,), 1)):
        line = figures.BoundLine("pair moment", runs, [0.1] * len(runs), 1.0)
        drawn = figures.audit_bounds([line], title="Bounds", runs=100, epsilon=1.0).drawing
        assert sum(note.get("name") == "line" for note in drawn.annotations) == named
