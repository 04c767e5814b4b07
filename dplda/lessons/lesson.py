"""A lesson as data: steps, each with a question before its picture."""

import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from dplda.core.formatting import digits, percent
from dplda.lessons.views.picture import PictureView


@dataclass(frozen=True, slots=True)
class Option:
    """One possible answer, right for numbers below ``below`` and at least the previous option's (last: infinite)."""

    text: str
    below: float


@dataclass(frozen=True, slots=True)
class Pick:
    """A multiple-choice question; a number of the picture decides the right option."""

    question_text: str
    number_name: str
    options: tuple[Option, ...]

    def right_index(self, numbers: Mapping[str, float]) -> int:
        """Index of the right option."""
        return bisect_right(
            [option.below for option in self.options[:-1]], numbers[self.number_name]
        )

    def is_right(self, answer: float, numbers: Mapping[str, float]) -> bool:
        """Whether the option of this index is right."""
        return int(answer) == self.right_index(numbers)

    def describe_answer(self, answer: float) -> str:
        """The answer in words."""
        return self.options[int(answer)].text

    def describe_right_answer(self, numbers: Mapping[str, float]) -> str:
        """The right answer in words."""
        return self.options[self.right_index(numbers)].text


@dataclass(frozen=True, slots=True)
class Guess:
    """A question for a number, answered on a slider."""

    question_text: str
    number_name: str
    low: float
    high: float
    step: float
    tolerance: float
    is_percent: bool = False

    def stops(self) -> tuple[float, ...]:
        """Numbers that can be guessed, from ``low`` in steps of ``by`` to at most ``high``."""
        n_steps = math.floor((self.high - self.low) / self.step + 1e-9)
        return tuple(round(self.low + self.step * step, 9) for step in range(n_steps + 1))

    def is_right(self, answer: float, numbers: Mapping[str, float]) -> bool:
        """Whether the answer is within ``near`` of the number."""
        return abs(answer - numbers[self.number_name]) <= self.tolerance * (1 + 1e-9)

    def describe_answer(self, answer: float) -> str:
        """The answer in words."""
        return percent(answer) if self.is_percent else f"{answer:.3g}"

    def describe_right_answer(self, numbers: Mapping[str, float]) -> str:
        """The right answer in words."""
        return self.describe_answer(numbers[self.number_name])


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One question and its answer.

    Attributes:
        before: the picture with the question; None for none.
        reveal: two sentences, with numbers of ``after`` in braces.
        true_ranges: smallest and largest value, by number, for which the sentences are true.
        example: an example instead of a picture before, in Markdown; empty for none.
    """

    title: str
    scene: str
    words: str
    question: Pick | Guess
    after: PictureView
    before: PictureView | None
    reveal: str
    takeaway: str
    true_ranges: Mapping[str, tuple[float, float]]
    example: str = ""

    def describe_exceptions(self, numbers: Mapping[str, float]) -> tuple[str, ...]:
        """Numbers for which the sentences are not true, with their values; rarely any."""
        return tuple(
            f"{self.after.number_meanings[name]}: {digits(numbers[name])}"
            for name, (low, high) in self.true_ranges.items()
            if not low <= numbers[name] <= high
        )

    def fill_in(self, text: str, numbers: Mapping[str, float]) -> str:
        """A text of the step with its numbers filled in."""
        return text.format_map({**self.after.settings, **numbers}).replace(
            "e-0", "e-"
        )  # 1e-7, as elsewhere


@dataclass(frozen=True, slots=True)
class Lesson:
    """Three to six steps about one idea."""

    name: str
    title: str
    says: str
    note: str
    minutes: int
    steps: tuple[LessonStep, ...]
