"""A lesson on paper: questions first, answers behind, in one self-contained HTML file."""

from collections.abc import Callable
from dataclasses import dataclass

from dplda.core.errors import DpldaError
from dplda.core.versions import installed_version
from dplda.lessons.lesson import Lesson, LessonStep
from dplda.lessons.picture import Picture, PictureView
from dplda.release.report.markup import TEMPLATES


@dataclass(frozen=True, slots=True)
class _Answer:
    heading: str
    said: str
    repeat: str = ""
    small: str = ""


def handout(lesson: Lesson, look: Callable[[PictureView], Picture], *, seed: int) -> str:
    """The whole page; it states the seed of the noise."""
    return TEMPLATES.get_template("handout.html.jinja").render(
        lesson=lesson,
        plain=_plain,
        answers=[_answer(step, look) for step in lesson.steps],
        version=installed_version("dplda"),
        seed=seed,
    )


def _answer(step: LessonStep, look: Callable[[PictureView], Picture]) -> _Answer:
    try:
        found = look(step.after)
    except DpldaError as error:
        return _Answer(step.title, str(error))
    settings = ", ".join(f"{name} {value}" for name, value in step.after.settings.items())
    said, repeat = step.told(step.reveal, found.numbers), step.told(step.repeat, found.numbers)
    if exceptions := step.exceptions(found.numbers):
        said, repeat = "An exceptional draw: " + "; ".join(exceptions) + ".", ""
    heading = f"{step.title}: {step.question.truth(found.numbers)}"
    return _Answer(heading, said.replace("**", ""), repeat, f"{found.figure.alt} ({settings})")


def _plain(step: LessonStep, said: str) -> str:
    return step.told(said, {}).replace("**", "").replace("*", "")
