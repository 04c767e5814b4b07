"""Which lesson, and which step of it."""

from dataclasses import dataclass

from dplda.lessons import Lesson, LessonStep


@dataclass(frozen=True, slots=True)
class LessonPosition:
    """Where a session is."""

    lessons: tuple[Lesson, ...]
    number: int
    at: int

    @property
    def lesson(self) -> Lesson:
        """The lesson."""
        return self.lessons[self.number - 1]

    @property
    def step(self) -> LessonStep:
        """The step."""
        return self.lesson.steps[self.at - 1]

    def moved(self, by: int) -> tuple[int, int] | None:
        """Lesson and step so many steps away, over the lessons' ends; None where there is none."""
        every = [(i, j) for i, one in enumerate(self.lessons, start=1) for j in range(1, len(one.steps) + 1)]
        index = every.index((self.number, self.at)) + by
        return every[index] if 0 <= index < len(every) else None
