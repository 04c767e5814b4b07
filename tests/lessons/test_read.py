"""Lessons from files: mistakes are refused with file, place and what to do; numbers are never typed."""

import re

import pytest

from dplda.core.errors import ReadError
from dplda.core.formatting import percent
from dplda.lessons import read_lesson
from dplda.lessons.lesson import Guess, Pick
from dplda.lessons.views import VIEWS
from dplda.ui.learn import proofs_view
from dplda.ui.shell import glossary
from tests.house.source import ROOT
from tests.lessons.shelf import read_class, read_lessons

GOOD = (ROOT / "assets" / "lessons" / "04-cuts.toml").read_text("utf-8")


def test_lesson_files_are_all_read() -> None:
    lessons = read_lessons()
    assert len(lessons) == len(list((ROOT / "assets" / "lessons").glob("*.toml"))) > 0


def test_lesson_steps_have_a_takeaway_to_repeat() -> None:
    lessons = read_lessons()
    for lesson in (*lessons, *read_class()):
        assert 3 <= len(lesson.steps) <= 6
        for step in lesson.steps:
            assert set(step.words.split()) <= set(glossary.entries())
            assert step.takeaway.count(".") == 1, "one sentence"
            assert not set(step.takeaway) & set("∑‖√∞{}$"), "no symbols"


def test_sentences_of_every_lesson_can_be_read_aloud_in_one_breath() -> None:
    """Twenty words are the aim; a value in braces is one word."""
    for lesson in (*read_lessons(), *read_class()):
        texts = [lesson.says, lesson.note]
        for step in lesson.steps:
            texts += [step.scene, step.question.question_text, step.reveal, step.takeaway]
        sentences = [part for text in texts for part in re.split(r"(?<=[.!?])”? ", text)]
        longest = max(sentences, key=lambda sentence: len(sentence.split()))
        assert len(longest.split()) <= 22, longest


def test_pictures_are_all_used_by_lessons() -> None:
    used_views = {type(step.answer_view) for lesson in read_lessons() for step in lesson.steps}
    assert used_views == set(VIEWS.values())


@pytest.mark.parametrize(
    ("good_part", "bad_part", "complaint"),
    [
        ('title = "Cuts', "title = 3\n# ", "title: not a text in quotes. Write title = a text"),
        ("minutes = 10", "", "minutes: missing"),
        ("minutes = 10", "minutes = true", "minutes: not a whole number"),
        ("minutes = 10", "minutes = 10\nauthor = 'me'", "author: not known here"),
        (
            'picture = "flow"',
            'picture = "flood"',
            "step 1, picture: no picture of that name. Write one of topics, who",
        ),
        (
            'settings = { edges = "e6" }',
            'settings = { edge = "e6" }',
            "step 2, settings, edge: no setting of “flow”",
        ),
        (
            'settings = { edges = "e6" }',
            "settings = { edges = 6 }",
            "step 2, settings, edges: not a text in quotes",
        ),
        (
            'settings = { edges = "e6" }',
            'settings = { edges = "e66" }',
            "step 2, settings: edges must be of e0 e1",
        ),
        ('settings = { edges = "e6" }', 'settings = "e6"', "step 2, settings: not a table"),
        (
            "There are {paths:.0f} paths",
            "There are 3 paths",
            "step 1, reveal: a number typed as digits. Write one of",
        ),
        (
            "There are {paths:.0f} paths",
            "There are {path} paths",
            "step 1, reveal: {path} is no number of the picture",
        ),
        (
            "There are {paths:.0f} paths",
            "There are {paths:d} paths",
            "step 1, reveal: braces that cannot be filled",
        ),
        (
            "There are {paths:.0f} paths",
            "There are {paths paths",
            "step 1, reveal: braces that cannot be filled",
        ),
        ("There is no noise.", "There are 10 arrows.", "step 1, scene: a number typed as digits"),
        (
            'of = "leaks", low',
            'of = "drips", low',
            "step 1, question, of: no number of the picture. Write one of",
        ),
        ("by = 1, near", "by = 9, near", "step 1, question, by: not a step between low and high"),
        ("near = 0.5 }", "near = 0.5, nearly = 1 }", "step 1, question, nearly: not known here"),
        ("below = 0.5", "below = 2.5", "step 2, question, options: not in ascending order"),
        (
            "near = 0.5 }",
            "near = 0.5, percent = 1 }",
            "step 1, question, percent: not true or false",
        ),
        (
            "holds = { leaks = [3, 3]",
            "holds = { drips = [3, 3]",
            "step 1, holds, drips: no number of the picture",
        ),
        (
            "holds = { leaks = [3, 3]",
            "holds = { leaks = [3, 2]",
            "step 1, holds, leaks: not two numbers in ascending",
        ),
        (
            "holds = { leaks = [3, 3]",
            "holds = { leaks = 3",
            "step 1, holds, leaks: not two numbers in ascending",
        ),
        ("below = 0.5", "under = 0.5", "step 2, question, option 1, below: missing"),
    ],
)
def test_lesson_mistake_is_refused_with_its_place(good_part, bad_part, complaint, tmp_path) -> None:
    assert good_part in GOOD
    path = tmp_path / "mine.toml"
    path.write_text(GOOD.replace(good_part, bad_part, 1), "utf-8")
    with pytest.raises(ReadError) as refusal:
        read_lesson(path)
    assert str(refusal.value).startswith(f"mine.toml: {complaint}")


def test_terms_of_a_step_are_one_click_away() -> None:
    missing = []
    for lesson in (*read_lessons(), *read_class()):
        for step in lesson.steps:
            options = step.question.options if isinstance(step.question, Pick) else ()
            texts = [
                step.title,
                step.scene,
                step.question.question_text,
                step.reveal,
                step.takeaway,
            ]
            texts += [option.text for option in options]
            for name, entry in glossary.entries().items():
                symbols = map(re.escape, filter(None, entry.symbol.split(", ")))
                marks = [f"(?i:{re.escape(entry.term)}s?)"] * (not entry.common) + [*symbols]
                is_named = any(
                    re.search(rf"(?<![\w{{]){mark}(?![\w}}])", " ".join(texts)) for mark in marks
                )
                if (
                    is_named
                    and name not in step.words.split()
                    and f"{name}_flow" not in step.words.split()
                ):
                    missing.append((lesson.name, step.title, name))
    assert missing == [], missing


def test_lesson_of_too_few_steps_is_refused(tmp_path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[[step]]".join(GOOD.split("[[step]]")[:3]), "utf-8")
    with pytest.raises(ReadError, match=r"mine\.toml: step: 2 of them\. Write 3 to 6"):
        read_lesson(path)


def test_lesson_that_is_not_toml_is_refused(tmp_path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("title = ", "utf-8")
    with pytest.raises(ReadError, match="not TOML"):
        read_lesson(path)


def test_lesson_that_is_not_utf8_is_refused(tmp_path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff")
    with pytest.raises(ReadError, match="not UTF-8"):
        read_lesson(path)


def test_guess_is_right_as_near_as_it_says() -> None:
    guess = Guess("?", "x", 0, 1, 0.1, 0.1, is_percent=True)
    right = [guess.is_right(answer, {"x": 0.5}) for answer in (0.39, 0.4, 0.5, 0.6, 0.61)]
    assert right == [False, True, True, True, False]
    assert guess.describe_right_answer({"x": 0.001}) == "0.1%"


def test_lesson_titles_fit_where_they_are_chosen() -> None:
    """A list shows 40 letters of a lesson's title to a room at 1024 pixels, and 44 of a gap's on a phone."""
    lessons = [lesson.title for lesson in read_lessons(ROOT / "assets" / "lessons")]
    for titles, max_letters in (
        (lessons, 40),
        ([str(card["title"]) for card in proofs_view.cards().values()], 44),
    ):
        assert (
            max(len(f"{number}. {title}") for number, title in enumerate(titles, 1)) <= max_letters
        )


def test_percentage_is_a_hundred_only_for_the_whole() -> None:
    percentages = [percent(share) for share in (0.5, 0.9994, 0.9997, 0.9999546, 1)]
    assert percentages == ["50%", "99.9%", "99.97%", "99.9955%", "100%"]


def test_lesson_notes_read_what_the_first_step_shows() -> None:
    for lesson in (*read_lessons(), *read_class()):
        if lesson.steps[0].question_view is None:
            assert "read the topics" not in lesson.note, lesson.title


def test_lesson_text_with_a_value_keeps_the_value_beside_its_symbol() -> None:
    step = read_lessons()[0].steps[0]
    assert step.fill_in("noise at ε = 1", {}) == "noise at ε\u00a0=\u00a01"
