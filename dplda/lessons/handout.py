"""A class on paper: its questions on one page, and its answers for the teacher on the next."""

from collections.abc import Sequence
from dataclasses import dataclass

from dplda.core.types import silent
from dplda.core.versions import VERSION
from dplda.lessons.lesson import Guess, Lesson, LessonStep
from dplda.release.report.markup import TEMPLATES


@dataclass(frozen=True, slots=True)
class PrintedStep:
    """A question with its answer, in words.

    Attributes:
        starts_at: minutes from the beginning.
        title: of the step.
        scene: the situation in a few sentences.
        question: for the class.
        options: possible answers; empty for a question for a number.
        scale_ends: smallest and largest number of the scale; empty for options.
        answer: the right answer.
        reveal: why it is right.
        repeat: the sentence to keep.
    """

    starts_at: int
    title: str
    scene: str
    question: str
    options: Sequence[str]
    scale_ends: Sequence[str]
    answer: str
    reveal: str
    repeat: str


def render_handout(lesson: Lesson, seed: int) -> str:
    """The page to print, as HTML without links to other files.

    Args:
        lesson: its steps share its minutes evenly, in whole minutes, with as much time at the end
            as for a step.
        seed: of the noise in its answers.
    """
    minutes_a_step = lesson.minutes // (len(lesson.steps) + 1)
    steps = [
        _print_step(step, starts_at=step_index * minutes_a_step, seed=seed)
        for step_index, step in enumerate(lesson.steps)
    ]
    return TEMPLATES.get_template("handout.html.jinja").render(
        lesson=lesson,
        steps=steps,
        ends_at=len(steps) * minutes_a_step,
        seed=seed,
        version=VERSION,
    )


def _print_step(step: LessonStep, *, starts_at: int, seed: int) -> PrintedStep:
    """A step's texts with its numbers filled in, and its right answer with noise of the seed.

    A question for a number has ends of a scale and no options, any other options and no ends.
    Scene and question have settings alone, and the reveal also numbers of the picture.

    Args:
        step: of the lesson.
        starts_at: minutes from the beginning of the lesson.
        seed: of the noise.
    """
    question = step.question
    picture = step.answer_view.make_picture(seed, silent)
    numbers = picture.numbers
    scale_ends: list[str] = []
    options: list[str] = []
    if isinstance(question, Guess):
        lowest_answer = question.describe_answer(question.low)
        highest_answer = question.describe_answer(question.high)
        scale_ends = [lowest_answer, highest_answer]
    else:
        options = [option.text for option in question.options]
    return PrintedStep(
        starts_at=starts_at,
        title=step.title,
        scene=step.fill_in(step.scene, {}),
        question=step.fill_in(question.question_text, {}),
        options=options,
        scale_ends=scale_ends,
        answer=question.describe_right_answer(numbers),
        reveal=step.fill_in(step.reveal, numbers),
        repeat=step.takeaway,
    )
