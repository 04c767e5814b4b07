"""Pictures of three lessons for the page without a server, with the lessons' own words."""

from collections.abc import Iterator
from dataclasses import dataclass

from dplda.core import assets
from dplda.core.types import silent
from dplda.figures import svg
from dplda.figures.flows.small_flow import small_flow
from dplda.flow import SPECTRAL
from dplda.lessons.lesson import LessonStep
from dplda.lessons.read import read_lesson
from dplda.lessons.views.flow import FlowOfNoise

CHOSEN = (("02-odds", 0), ("04-cuts", 2), ("05-composition", 0))  # lesson, and number of its step
SEED = 0


@dataclass(frozen=True, slots=True)
class LessonPicture:
    """A lesson's picture with its question and its answer.

    Attributes:
        title: of the lesson.
        scene: the situation in a few sentences.
        question: for the reader.
        answer: the sentences that the picture shows to be true.
        repeat: the sentence to keep.
        pictures: SVG elements, for a light page and for a dark one; a single one fits both.
    """

    title: str
    scene: str
    question: str
    answer: str
    repeat: str
    pictures: tuple[str, ...]


def lesson_pictures() -> Iterator[LessonPicture]:
    """The pictures of the chosen steps, in their order, with noise of ``SEED``.

    They are the pictures after the answer, as SVG; a flow has one for light and one for dark. With
    each go the texts of its step, in which numbers are filled in.
    """
    for lesson_name, step_index in CHOSEN:
        lesson = read_lesson(assets.folder() / "lessons" / f"{lesson_name}.toml")
        step = lesson.steps[step_index]
        picture = step.answer_view.make_picture(SEED, silent)
        yield LessonPicture(
            title=lesson.title,
            scene=step.fill_in(step.scene, picture.numbers),
            question=step.fill_in(step.question.question_text, picture.numbers),
            answer=step.fill_in(step.reveal, picture.numbers),
            repeat=step.takeaway,
            pictures=_flow_pictures(step) or (svg(picture.figure),),
        )


def _flow_pictures(step: LessonStep) -> tuple[str, ...]:
    """A flow's pictures, for a light page and for a dark one; none for other views."""
    if not isinstance(step.answer_view, FlowOfNoise):
        return ()
    edges = step.answer_view.edges.split()
    return tuple(small_flow(SPECTRAL, edges, dark=is_dark).svg for is_dark in (False, True))
