"""Exact noise whose answers are kept, so that a run that was interrupted goes on from them.

A run asks for noise in an order that its earlier answers decide. Of a run that starts again, the
answers that were kept are given once more, in their order, and noise is drawn for the rest.

Guarantee:
    Every answer that a run has ever used was kept before. So over all starts of a run each value is
    answered once, with one draw of noise: together they have the law of a run that was never
    interrupted, as long as nobody who decides about an interruption sees an answer before it is
    kept. An answer that was drawn and not kept was never used, and the one drawn anew is
    independent of it.
"""

from dataclasses import dataclass
from typing import Protocol

from dplda.core.types import Vector
from dplda.privacy.noise.exact import ExactNoise
from dplda.privacy.noise.keys import NoiseKind
from dplda.privacy.noise.layouts import Spread


@dataclass(frozen=True, slots=True)
class AnswerLabel:
    """Request that an answer belongs to; two starts of a run have to ask alike.

    Attributes:
        stream: edge and quantity.
        noise_std: standard deviation of the noise, in steps of the value's grid.
        size: how many numbers.
    """

    stream: str
    noise_std: float
    size: int


class AnswerStore(Protocol):
    """Answers of a run that outlast its process."""

    def next_answer(self, label: AnswerLabel) -> Vector | None:
        """The next answer that was kept, shape (p,), for the caller to change; None after the last.

        Raises:
            DpldaError: the next one was kept under another label.
        """

    def keep_answer(self, label: AnswerLabel, answer: Vector) -> None:
        """Keep an answer, shape (p,), float64; it is on the disk and counted when this returns."""


class KeptNoise:
    """Gaussian noise on whole numbers, each answer kept before it is given.

    Args:
        exact: draws noise, and counts the distance of all answers, kept ones too.
        store: of the answers.
    """

    kind = NoiseKind.EXACT

    def __init__(self, exact: ExactNoise, store: AnswerStore) -> None:
        self._exact = exact
        self._store = store

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, stream: str) -> Vector:
        """Give the answer that was kept, or int64 coordinates plus new whole numbers.

        A kept answer is given as it is, whatever the coordinates are. A new one is kept first.
        Arguments are as in ``NoiseSource``.

        Raises:
            NotReleasable: exact noise does not admit the value, even where an answer was kept.
            DpldaError: the next answer was kept for another stream, scale or length.
        """
        self._exact.admit(coordinates, scale, spread, stream)
        answer_label = AnswerLabel(stream, scale, len(coordinates))
        answer = self._store.next_answer(answer_label)
        if answer is None:
            answer = self._exact.draw(coordinates, scale)
            self._store.keep_answer(answer_label, answer)
        return answer

    def perturb_laplace(
        self, coordinates: Vector, scale: float, spread: Spread, stream: str
    ) -> Vector:
        """Refuse, as there is no exact Laplace noise; arguments as in ``NoiseSource``."""
        return self._exact.perturb_laplace(coordinates, scale, spread, stream)
