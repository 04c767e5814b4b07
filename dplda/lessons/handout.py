"""A lesson on paper: questions first, answers behind; one HTML file that asks for nothing."""

from collections.abc import Callable

from dplda.core.errors import DpldaError
from dplda.core.versions import installed_version
from dplda.lessons.lesson import Lesson, LessonStep, Pick
from dplda.lessons.picture import Picture, PictureView
from dplda.release.report import style
from dplda.release.report.markup import text

CSS = ".ask { break-inside: avoid; margin: 1rem 0 } .answers { break-before: page } li { margin: .2rem 0 }"


def handout(lesson: Lesson, look: Callable[[PictureView], Picture], *, seed: int) -> str:
    """The whole page.

    Args:
        seed: of the noise, named beside the numbers.
    """
    asked = "".join(_ask(i, step) for i, step in enumerate(lesson.steps, start=1))
    answers = "".join(_answer(i, step, look) for i, step in enumerate(lesson.steps, start=1))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{text(lesson.title)}</title>'
        f"<style>{style.CSS}{CSS}</style></head><body><main><h1>{text(lesson.title)}</h1><p>{text(lesson.says)}</p>"
        f'{asked}<section class="answers"><h2>Answers</h2>{answers}</section>'
        f'<p class="quiet">Computed by dplda {text(installed_version("dplda"))}, noise seed {seed}.</p></main></body>'
        "</html>\n"
    )


def _ask(number: int, step: LessonStep) -> str:
    question = step.question
    if isinstance(question, Pick):
        space = "<ul>" + "".join(f"<li>☐ {text(option.says)}</li>" for option in question.options) + "</ul>"
    else:
        low, high = question.said(question.low), question.said(question.high)
        space = f"<p>My guess, between {text(low)} and {text(high)}: ____________</p>"
    return (
        f'<section class="ask"><h2>{number}. {text(step.title)}</h2><p>{_plain(step, step.scene)}</p>'
        f"<p><b>{_plain(step, question.asks)}</b></p>{space}</section>"
    )


def _answer(number: int, step: LessonStep, look: Callable[[PictureView], Picture]) -> str:
    try:
        found = look(step.after)
    except DpldaError as error:
        return f"<h3>{number}. {text(step.title)}</h3><p>{text(str(error))}</p>"
    settings = ", ".join(f"{name} {value}" for name, value in step.after.settings.items())
    said, repeat = step.told(step.reveal, found.numbers), step.told(step.repeat, found.numbers)
    if exceptions := step.exceptions(found.numbers):
        said, repeat = "An exceptional draw: " + "; ".join(exceptions) + ".", ""
    return (
        f"<h3>{number}. {text(step.title)}: {text(step.question.truth(found.numbers))}</h3>"
        f"<p>{text(said).replace('**', '')}</p><p><i>{text(repeat)}</i></p>"
        f'<p class="quiet">{text(found.alt)} ({text(settings)})</p>'
    )


def _plain(step: LessonStep, said: str) -> str:
    """A text of the step without Markdown's marks."""
    return text(step.told(said, {})).replace("**", "").replace("*", "")
