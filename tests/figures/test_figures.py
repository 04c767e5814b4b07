import re
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest

from dplda import figures
from dplda.figures import Lane, Slot, theme
from dplda.figures.bar_axis import CUT_MARK
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


def test_topic_below_the_noise_is_a_frame_without_a_bar() -> None:
    figure = checked(figures.top_words([LANE], NASTY, n_shown=3))
    bars = figure.data[0]
    assert len(bars.x) == 3
    assert "below the noise" in texts(figure)
    assert len(figure.layout.shapes) == 1
    assert any("87% signal" in text for text in texts(figure))


def test_words_of_bars_with_markup_are_shown_as_text() -> None:
    words = figures.frequent_words(NASTY, [0.5, 0.4, 0.3, 0.2, 0.1])
    for drawn_figure in (figures.top_words([LANE], NASTY, n_shown=5), words):
        names = checked(drawn_figure).data[1].text
        shown_text = " ".join(names)
        assert "<b>" not in shown_text
        assert "$" not in shown_text
        assert max(map(len, names)) < 40
        assert "&lt;b&gt;" in shown_text


def test_topic_color_follows_the_topic_number() -> None:
    full = Lane("x", tuple(Slot(i + 1, np.array([0.6, 0.4])) for i in range(14)))
    figure_of_all = checked(figures.top_words([full], ("one", "two"), n_shown=1))
    single = figures.topic_bars([full], ("one", "two"), n_shown=1)
    colours = [checked(figure).data[0].marker.color[0] for figure in single]
    assert list(figure_of_all.data[0].marker.color) == colours


def test_topic_colors_are_distinct_from_the_unreadable_one() -> None:
    assert len(set(theme.PALETTE)) == len(theme.PALETTE)
    assert theme.UNREADABLE not in map(theme.topic_colour, range(1, 30))


def doubtful(is_supported: bool) -> Lane:
    words = np.array([0.5, 0.3, 0.2])
    known_slot = Slot(
        1,
        words,
        lower=words - 0.1,
        upper=words + np.array([0.4, 0.2, 0.1]),
        supported=is_supported,
        stays=np.array([20, 7, 0]),
    )
    return Lane("private", (known_slot, Slot(2, words), Slot(3, None)))


def test_words_leading_fewer_possible_topics_are_paler_by_their_number() -> None:
    figure = checked(figures.top_words([doubtful(True)], ("one", "two", "three"), n_shown=3))
    bars = figure.data[0]
    labels = figure.data[1].text
    assert labels[0] == "one", "no number where a word leads all of them"
    assert [re.sub("<[^>]*>", "", label) for label in labels[1:3]] == ["two 7/20", "three 0/20"]
    opacities = list(bars.marker.opacity)
    assert opacities[0] > opacities[1] > opacities[2] > 0
    assert opacities[3:] == [opacities[0]] * 3, "of a topic whose errors are unknown"
    assert "in 7<br>of 20 possible topics" in bars.customdata[1][1]
    assert "possible" not in bars.customdata[3][1]


@pytest.mark.parametrize("grey", [True, False])
def test_topic_without_evidence_is_gray_with_a_note(grey: bool) -> None:
    lane = doubtful(not grey)
    figure = checked(figures.top_words([lane], ("one", "two", "three"), n_shown=2))
    assert (figure.data[0].marker.color[0] == theme.UNREADABLE) == grey
    assert figure.data[0].marker.color[2] == theme.topic_colour(2)
    assert sum(UNSUPPORTED in text for text in texts(figure)) == grey
    assert (
        UNSUPPORTED in figures.top_words([lane], ("one", "two", "three"), n_shown=2).alt
    ) == grey


def test_spectrum_says_what_it_finds() -> None:
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
    figure_without_noise = checked(figures.spectrum(noisy, noise_floor=0.0, rising=2))
    assert (len(figure_without_noise.data), len(figure_without_noise.layout.shapes)) == (1, 0)


@pytest.mark.parametrize("lengths", [np.array([0, 0, 0]), np.array([5]), np.arange(5000)])
def test_histogram_holds_every_document(lengths) -> None:
    figure = checked(figures.document_lengths(lengths))
    assert int(np.sum(figure.data[0].y)) == len(lengths)
    assert len(figure.data[0].y) <= 42
    assert figures.document_lengths(lengths).alt


def test_watermark_is_on_every_figure_that_asks_for_it() -> None:
    drawn_figures = (
        figures.top_words([LANE], NASTY, n_shown=3, watermark="Curator"),
        figures.spectrum(np.array([1.0, 0.5]), noise_floor=0.1, rising=1, watermark="Curator"),
        figures.document_lengths(np.arange(9), watermark="Curator"),
        figures.frequent_words(NASTY, [0.1] * 5, watermark="Curator"),
    )
    for figure in drawn_figures:
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
    topics, prior_topics = (
        lane_as_found("released", np.array([words, words])),
        np.array([[0.2, 0.3, 0.5], words]),
    )
    table, raised = figures.beside_table(topics, prior_topics, np.array([0.4, 0.3, 0.3]))
    assert (table.slots[0].words == prior_topics[0]).all()
    assert np.isfinite(table.slots[0].scores).tolist() == [False, False, True], (
        "words that the table raises"
    )
    assert [np.isfinite(slot.scores).tolist() for slot in raised.slots] == [
        [True, False, False],
        [False] * 3,
    ]
    assert raised.slots[1].words is None, "no step moved it"


def test_beside_table_with_places_of_no_run_leaves_them_out() -> None:
    words = np.array([0.5, 0.3, 0.2])
    fitted, unfitted = Slot(1, words, row=0), Slot(2, words)
    frequencies = np.array([0.4, 0.3, 0.3])
    for slots, numbers in (((unfitted, fitted), [1]), ((unfitted,), [])):
        lanes = figures.beside_table(Lane("mixed", slots), words[None], frequencies)
        assert [[slot.number for slot in lane.slots] for lane in lanes] == [numbers] * 2


def test_bars_beside_one_long_bar_are_not_flattened() -> None:
    usual = [Slot(number, np.array([0.05, 0.03, 0.02])) for number in (1, 2)]
    odd = Slot(3, np.array([0.95, 0.03, 0.02]))
    drawn_figure = figures.top_words([Lane("private", (*usual, odd))], ("a", "b", "c"), n_shown=3)
    end = checked(drawn_figure).layout.xaxis.range[1]
    assert 0.05 / end > 0.2, "a usual bar is seen"
    assert end < 0.95, "the odd one ends with the axis"


TWO_USUAL = tuple(Slot(number, np.array([0.05, 0.03, 0.02])) for number in (1, 2))
ODD = Lane("private", (*TWO_USUAL, Slot(3, np.array([0.95, 0.03, 0.02]))))
WORDS = ("alpha", "beta", "gamma")


def test_bar_that_goes_on_beyond_the_axis_has_a_mark_at_its_end() -> None:
    drawn_figure = checked(figures.top_words([ODD], WORDS, n_shown=3))
    bars = drawn_figure.data[0]
    (cut,) = [trace for trace in drawn_figure.data if trace.name == f"cut {CUT_MARK}"]
    assert list(cut.y) == [bars.y[list(bars.x).index(0.95)]]
    assert drawn_figure.layout.xaxis.range[1] >= cut.x[0]


def test_bar_that_goes_on_beyond_the_axis_says_its_probability() -> None:
    texts = checked(figures.top_words([ODD], WORDS, n_shown=3)).data[1].text
    assert texts.count("alpha · 0.95") == 1
    assert texts.count("alpha") == 2, "others say none"


def test_bars_that_end_within_the_axis_have_no_mark() -> None:
    lane = Lane("private", TWO_USUAL)
    drawn_figure = checked(figures.top_words([lane], WORDS, n_shown=3))
    assert not any(trace.name == f"cut {CUT_MARK}" for trace in drawn_figure.data)
    assert not figures.has_cut_bars([lane], n_shown=3)


def test_figures_of_single_topics_share_one_axis() -> None:
    single = [checked(figure) for figure in figures.topic_bars([ODD], WORDS, n_shown=3)]
    figure_of_all = checked(figures.top_words([ODD], WORDS, n_shown=3))
    assert {figure.layout.xaxis.range for figure in single} == {figure_of_all.layout.xaxis.range}


def test_figures_of_single_topics_are_in_order_of_places() -> None:
    single = figures.topic_bars([ODD], WORDS, n_shown=3)
    headings = [text for figure in single for text in texts(checked(figure))]
    assert [re.findall(r"Topic (\d)", text) for text in headings] == [["1"], ["2"], ["3"]]


def test_bars_of_chosen_words_are_sorted_by_length() -> None:
    words = np.array([0.1, 0.2, 0.3, 0.4])
    slot = Slot(1, words, scores=np.array([4.0, 3.0, 2.0, 1.0]))
    figure = checked(
        figures.top_words([Lane("released", (slot,))], ("a", "b", "c", "d"), n_shown=3)
    )
    bars = next(trace for trace in figure.data if trace.type == "bar")
    assert list(bars.x) == [0.3, 0.2, 0.1], "the three with the largest scores, longest first"


def test_audit_figure_names_a_line_once_it_has_runs() -> None:
    for runs, n_named in (((), 0), ((10,), 1)):
        line = figures.BoundLine("pair moment", runs, [0.1] * len(runs), 1.0)
        drawing = figures.audit_bounds([line], title="Bounds", runs=100, epsilon=1.0).drawing
        assert sum(note.get("name") == "line" for note in drawing.annotations) == n_named


def test_word_of_nearly_all_documents_does_not_flatten_other_frequent_words() -> None:
    shares = [0.99, 0.06, 0.05, 0.05, 0.04, 0.03]
    figure = checked(figures.frequent_words([f"word{i}" for i in range(6)], shares))
    axis_end = figure.layout.xaxis.range[1]
    assert shares[1] / axis_end > 0.2
    assert list(figure.data[1].text)[:2] == [f"word0 · 99% {CUT_MARK}", "word1"]


def test_frequent_words_that_decay_slowly_keep_their_whole_axis() -> None:
    shares = [0.6, 0.4, 0.3, 0.25, 0.2, 0.02]
    figure = checked(figures.frequent_words([f"word{i}" for i in range(6)], shares))
    assert figure.layout.xaxis.range is None
    assert CUT_MARK not in "".join(figure.data[1].text)


def test_letters_of_figures_have_sizes_of_the_scale_alone() -> None:
    """Sizes of markers are numbers; those of letters are the four of the scale."""
    number_as_size = re.compile(r"""font(_size|-size|"?[=:] ?\{"?size)?[":=({]+ ?"?\d""")
    literal_sizes = [
        f"{path.name}: {line.strip()}"
        for path in Path(figures.__file__).parent.rglob("*.py")
        for line in path.read_text().splitlines()
        if number_as_size.search(line)
    ]
    assert literal_sizes == []
    smallest = theme.SMALL_LETTERS
    assert 12 <= smallest < theme.LETTERS < theme.TITLE_LETTERS < theme.LARGE_LETTERS


def test_gap_bars_write_the_number_of_a_near_bar_behind_the_limit() -> None:
    bars = figures.gap_bars({"near": 0.84, "far": 0.01}, limit=1, title="A claim", x="error")
    near_text, far_text = bars.drawing.traces[0]["text"]
    assert near_text.endswith("0.84")
    assert near_text.startswith("\u00a0")
    assert far_text == "0.01"


@pytest.mark.parametrize(("is_person", "n_framed"), [(False, 1), (True, 4)])
def test_protected_unit_frames_one_document_or_all_of_a_person(is_person, n_framed) -> None:
    image = unquote(figures.protected_unit(is_person=is_person))
    assert image.count("#2457c5") == n_framed + 1, "letters, and the frame around them"
    assert image.count("rx=") == 7 + 1
