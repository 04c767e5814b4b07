"""Every release of a run drawn many times, in the order of the run, the answers to earlier ones being given.

For runs whose releases come one after the other and are never many: refinement, its first release alone, and private
variational inference. A spectral chain has more to it (``conditional``).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TypeAlias, TypeVar, cast

import numpy as np

from dplda.attacks.audit.sabotage import Sabotage
from dplda.core.types import Matrix, Tensor3, Vector
from dplda.privacy.mechanisms import Mechanisms, Members, Named
from dplda.privacy.noise.layouts import Layout
from dplda.privacy.noise.sources import NoiseSource
from dplda.privacy.noise.whole import FixedPointSum
from dplda.privacy.release import Release

Value = TypeVar("Value", float, Vector, Matrix, Tensor3)
Answers: TypeAlias = tuple[Vector | Matrix, ...]
"""What releases are to be answered with, in order."""
Through: TypeAlias = Callable[[NoiseSource], Mechanisms]


@dataclass(frozen=True, slots=True, eq=False)
class DrawnRelease:
    """One release, drawn many times.

    Attributes:
        values: shape (draws, numbers).
        shown: before noise, shape (numbers,); where documents are sampled, with all of them taken.
        residuals: each draw less what it was before noise, over the declared scale, shape (draws, numbers).
    """

    values: Matrix
    shown: Vector
    residuals: Matrix
    release: Release


class Answering(Mechanisms):
    """Keeps what it drew and answers as told.

    Args:
        answers: to the releases, in order.
        apart: the sensitivity over the length of one document's part, for a sabotage.
        sabotage: of mechanism or minibatches; None for the run as it is.
        source: of noise.
    """

    def __init__(
        self,
        drawn: list[DrawnRelease],
        answers: Answers,
        draws: int,
        wanted: slice,
        apart: float,
        sabotage: Sabotage | None,
        source: NoiseSource,
    ) -> None:
        super().__init__(source)
        self._draws, self._answers, self._drawn = draws, answers, drawn
        self._apart, self._sabotage, self._wanted = apart, sabotage, range(len(answers))[wanted]
        self._another: Callable[[], Matrix] = lambda: self._everyone
        self._everyone, self._size = np.empty((0, 0)), 0

    @property
    def releases(self) -> tuple[Release, ...]:
        """None: of what is drawn again and again nobody is to add up the budget."""
        return ()

    def minibatch(self, members: Callable[[], Members], total: Callable[[Members], Matrix]) -> Matrix:
        """As always, and keeps what it takes to draw another one; the sum over the same members is found once."""
        known = cache(lambda which: total(np.frombuffer(which, dtype=np.bool_)))
        if self._sabotage is not None and self._sabotage.everyone:
            members = partial(np.ones_like, members())
        first = members()
        self._another, self._size = lambda: known(members().tobytes()), len(first)
        self._everyone = known(np.ones_like(first).tobytes())
        return known(first.tobytes())

    def minibatch_matrix(
        self, of: Named, value: Matrix, *, sensitivity: float, noise_multiplier: float, sampling_rate: float
    ) -> Matrix:
        """As often as it is wanted, on another minibatch each time."""
        draw = partial(
            super().minibatch_matrix,
            of,
            sensitivity=self._scaled_to(sensitivity),
            noise_multiplier=noise_multiplier,
            sampling_rate=sampling_rate,
        )
        expected = self._size * sampling_rate
        shown = [value, *(self._another() / expected for _ in range(self._times() - 1))]
        return cast(Matrix, self._answered([draw(each) for each in shown], np.array(shown), self._everyone / expected))

    def _gaussian(
        self, of: Named, value: Value | FixedPointSum, layout: Layout[Value], sensitivity: float, mu: float
    ) -> Value:
        draw = partial(super()._gaussian, of, value, layout, self._scaled_to(sensitivity), mu)
        shown = np.ravel(
            np.asarray(value.numbers * value.unit if isinstance(value, FixedPointSum) else value, dtype=np.float64)
        )
        return cast(Value, self._answered([draw() for _ in range(self._times())], shown, shown))

    def _times(self) -> int:
        return self._draws if len(self._drawn) in self._wanted else 1

    def _scaled_to(self, sensitivity: float) -> float:
        return sensitivity if self._sabotage is None else self._sabotage.sensitivity(sensitivity, self._apart)

    def _answered(self, values: Sequence[object], before: Vector | Matrix, shown: Vector | Matrix) -> Vector | Matrix:
        """Keeps a release."""
        release, answer = self._releases[-1], self._answers[len(self._drawn)]
        flat = np.reshape(np.array(values), (len(values), -1))
        residuals = (flat - before.reshape(-1, flat.shape[1])) / release.scale
        self._drawn.append(DrawnRelease(flat, np.ravel(shown), residuals, release))
        return answer.copy()
