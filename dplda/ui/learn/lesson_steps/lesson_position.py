"""Where a session is in the lessons."""

from dataclasses import dataclass

from dplda.lessons import Lesson, LessonStep
from dplda.ui.state.keys import Key


@dataclass(frozen=True, slots=True)
class LessonPosition:
    """Where a session is in the lessons.

    Attributes:
        lesson: the open lesson.
        number: of the lesson, from 1.
        at: number of the step, from 1.
    """

    lesson: Lesson
    number: int
    at: int

    @property
    def step(self) -> LessonStep:
        """The open step."""
        return self.lesson.steps[self.at - 1]

    def key_of(self, value: Key) -> str:
        """The key of a value that the session keeps for this step alone."""
        return f"{value}.{self.lesson.name}.{self.at}"
