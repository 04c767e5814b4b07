"""A lesson as data: steps, each with a question before its picture."""

import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from dplda.core.formatting import digits, keep_values_whole, percent
from dplda.lessons.views.picture import PictureView


@dataclass(frozen=True, slots=True)
class Option:
    """One possible answer.

    Attributes:
        text: the answer in words.
        below: it is right for numbers below this one that are at least the previous option's;
            infinite for the last option.
    """

    text: str
    below: float


@dataclass(frozen=True, slots=True)
class Pick:
    """A multiple-choice question; a number of the picture decides the right option.

    Attributes:
        question_text: the question, with settings of the picture in braces.
        number_name: name of the number that decides.
        options: at least two, with ascending limits.
    """

    question_text: str
    number_name: str
    options: tuple[Option, ...]

    def right_index(self, numbers: Mapping[str, float]) -> int:
        """Index of the right option."""
        return bisect_right(
            [option.below for option in self.options[:-1]], numbers[self.number_name]
        )

    def is_right(self, answer: float, numbers: Mapping[str, float]) -> bool:
        """Whether an answer, the index of an option, is right.

        Args:
            answer: index of an option.
            numbers: numbers of the step, by name.
        """
        return int(answer) == self.right_index(numbers)

    def describe_answer(self, answer: float) -> str:
        """An answer, the index of an option, in words."""
        return self.options[int(answer)].text

    def describe_right_answer(self, numbers: Mapping[str, float]) -> str:
        """The right answer in words."""
        return self.options[self.right_index(numbers)].text


@dataclass(frozen=True, slots=True)
class Guess:
    """A question for a number, answered on a slider.

    Attributes:
        question_text: the question, with settings of the picture in braces.
        number_name: name of the number that is asked for.
        low: left end of the slider.
        high: right end of the slider.
        step: between stops of the slider, > 0.
        tolerance: largest distance from the number of a right answer.
        is_percent: whether numbers are written in percent.
    """

    question_text: str
    number_name: str
    low: float
    high: float
    step: float
    tolerance: float
    is_percent: bool = False

    def stops(self) -> tuple[float, ...]:
        """Numbers that can be guessed, from ``low`` in equal steps to at most ``high``."""
        scale_length = self.high - self.low
        n_steps = math.floor(scale_length / self.step + 1e-9)
        stops = (self.low + self.step * number for number in range(n_steps + 1))
        return tuple(round(stop, 9) for stop in stops)

    def is_right(self, answer: float, numbers: Mapping[str, float]) -> bool:
        """Whether an answer is within the tolerance of the number.

        Args:
            answer: the guessed number.
            numbers: numbers of the step, by name.
        """
        error = abs(answer - numbers[self.number_name])
        return error <= self.tolerance * (1 + 1e-9)

    def describe_answer(self, answer: float) -> str:
        """An answer as a number of three digits, or in percent."""
        if self.is_percent:
            return percent(answer)
        return f"{answer:.3g}"

    def describe_right_answer(self, numbers: Mapping[str, float]) -> str:
        """The right answer in words."""
        return self.describe_answer(numbers[self.number_name])


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One question and its answer.

    Attributes:
        title: of the step.
        scene: the situation in a few sentences, with settings of ``answer_view`` in braces.
        words: terms of the glossary that it uses, separated by spaces.
        question: asked before the answer is shown.
        answer_view: the picture with the answer, whose numbers the texts use.
        question_view: the picture with the question; None for none.
        reveal: two sentences, with numbers of ``answer_view`` in braces.
        takeaway: the sentence to keep, without numbers.
        true_ranges: smallest and largest value, by number, for which the sentences are true.
        example: an example instead of a picture before, in Markdown; empty for none.
    """

    title: str
    scene: str
    words: str
    question: Pick | Guess
    answer_view: PictureView
    question_view: PictureView | None
    reveal: str
    takeaway: str
    true_ranges: Mapping[str, tuple[float, float]]
    example: str = ""

    def describe_exceptions(self, numbers: Mapping[str, float]) -> tuple[str, ...]:
        """Meaning and value of each number outside its range, where the sentences are not true.

        Rarely any.
        """
        return tuple(
            f"{self.answer_view.number_meanings[name]}: {digits(numbers[name])}"
            for name, (low, high) in self.true_ranges.items()
            if not low <= numbers[name] <= high
        )

    def fill_in(self, text: str, numbers: Mapping[str, float]) -> str:
        """A text of the step with the settings of ``answer_view``, and these numbers, filled in.

        Exponents are written as elsewhere: 1e-7, not 1e-07. No line breaks within ``ε = 1``.

        Args:
            text: with names in braces.
            numbers: numbers of the step, by name.
        """
        values_by_name = {**self.answer_view.settings, **numbers}
        filled_text = text.format_map(values_by_name)
        short_exponents = filled_text.replace("e-0", "e-")
        return keep_values_whole(short_exponents)


@dataclass(frozen=True, slots=True)
class Lesson:
    """Three to six steps about one idea.

    Attributes:
        name: of the file, without its ending.
        title: of the lesson.
        says: its idea in a sentence.
        note: a remark at its end, in Markdown.
        minutes: how long it takes.
        steps: in their order.
    """

    name: str
    title: str
    says: str
    note: str
    minutes: int
    steps: tuple[LessonStep, ...]
