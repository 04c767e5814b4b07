"""One release drawn many times by the pipeline itself, the answers to all earlier releases being given.

A sensitivity is claimed for whatever was released before, so the claim is audited there: the chain runs as always on
real documents, its mechanisms answer as told, and where the audited release comes it is asked for again and again, by
the route's own call, from the run's own source of noise.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from dplda.attacks.audit.sabotage import Sabotage
from dplda.core.types import Matrix, Tensor3, Vector
from dplda.corpus import Corpus
from dplda.methods.chain.pipeline import run
from dplda.methods.plan import Plan
from dplda.methods.problem import Problem
from dplda.methods.resources import Resources
from dplda.privacy.mechanisms import Mechanisms, Named, stream
from dplda.privacy.noise.keys import NoiseKind
from dplda.privacy.noise.layouts import Layout, Spread
from dplda.privacy.noise.sources import NoiseSource
from dplda.privacy.noise.whole import FixedPointSum
from dplda.privacy.release import Release

Answers: TypeAlias = Mapping[str, float | Vector | Matrix | Tensor3]
"""What releases are to be answered with, by edge and quantity as ``mechanisms.stream`` names them."""
Value = TypeVar("Value", float, Vector, Matrix, Tensor3)


@dataclass(frozen=True, slots=True, eq=False)
class ConditionalDraws:
    """Independent draws of one release of one corpus.

    Attributes:
        values: released, shape (draws, ...).
        heard: all that came back from the source of noise while a draw was made, shape (draws, numbers).
        shown: the value before noise.
        whitener: through which the value is seen; None where it is not.
        ends: of the grid that a level is looked for on; None for another kind of release.
    """

    values: NDArray[np.float64]
    heard: Matrix
    shown: NDArray[np.float64]
    whitener: Matrix | None
    ends: tuple[float, float] | None
    release: Release


class _Reached(Exception):  # noqa: N818  # nothing went wrong
    """The release was drawn; the rest of the run is not needed."""

    def __init__(self, drawn: ConditionalDraws) -> None:
        super().__init__()
        self.drawn = drawn


class _Heard:
    """A source of noise that remembers what it gave."""

    def __init__(self, source: NoiseSource) -> None:
        self._source = source
        self.kind: NoiseKind = source.kind
        self.given: list[Vector] = []

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """As the source."""
        self.given.append(self._source.perturb(coordinates, scale, spread, of))
        return self.given[-1]

    def perturb_laplace(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """As the source."""
        self.given.append(self._source.perturb_laplace(coordinates, scale, spread, of))
        return self.given[-1]


class _Conditional(Mechanisms):
    """Answers as told, until the audited release."""

    def __init__(
        self, audited: str, answers: Answers, draws: int, sabotage: Sabotage | None, apart: float, source: NoiseSource
    ) -> None:
        self._heard = _Heard(source)
        super().__init__(self._heard)
        self._audited, self._answers, self._draws = audited, answers, draws
        self._sabotage, self._apart = sabotage, apart

    def _gaussian(
        self, of: Named, value: Value | FixedPointSum, layout: Layout[Value], sensitivity: float, mu: float
    ) -> Value:
        scaled_to = self._sensitivity(of, sensitivity)
        draw = partial(super()._gaussian, of, value, layout, scaled_to, mu)
        return self._answered(of, partial(_shown, value, layout), draw, whitener=getattr(layout, "whitener", None))

    def _laplace(self, of: Named, value: object, layout: Layout[Value], sensitivity: float, epsilon: float) -> Value:
        scaled_to = self._sensitivity(of, sensitivity)
        draw = partial(super()._laplace, of, cast(Value, value), layout, scaled_to, epsilon)
        return self._answered(of, lambda: value, draw, whitener=getattr(layout, "whitener", None))

    def clip_level(
        self, of: Named, norms: Vector, *, low: float, high: float, quantile: float, mu: float, steps: int = 8
    ) -> float:
        """The search, or what it is answered with."""
        draw = partial(super().clip_level, of, norms, low=low, high=high, quantile=quantile, mu=mu, steps=steps)
        return self._answered(of, lambda: norms, draw, ends=(low, high))

    def _sensitivity(self, of: Named, value: float) -> float:
        if self._sabotage is None or stream(of) != self._audited:
            return value
        return self._sabotage.sensitivity(value, self._apart)

    def _answered(
        self,
        of: Named,
        shown: Callable[[], object],
        draw: Callable[[], Value],
        *,
        whitener: Matrix | None = None,
        ends: tuple[float, float] | None = None,
    ) -> Value:
        if stream(of) != self._audited:
            draw()
            answer = self._answers[stream(of)]
            return cast(Value, np.copy(answer) if isinstance(answer, np.ndarray) else answer)
        self._heard.given.clear()
        values = np.array([draw() for _ in range(self._draws)])
        heard = np.concatenate(self._heard.given).reshape(self._draws, -1)
        first = self.releases[-self._draws]
        raise _Reached(ConditionalDraws(values, heard, np.asarray(shown()), whitener, ends, first))


def _shown(value: Value | FixedPointSum, layout: Layout[Value]) -> Value:
    return (
        layout.array(np.multiply(value.numbers, value.unit, dtype=np.float64))
        if isinstance(value, FixedPointSum)
        else value
    )


def drawn(
    corpus: Corpus,
    plan: Plan,
    audited: str,
    answers: Answers,
    *,
    draws: int,
    seed: int,
    n_topics: int,
    alpha0: float,
    noise: NoiseSource | None = None,
    sabotage: Sabotage | None = None,
    apart: float = 1.0,
) -> ConditionalDraws:
    """Draws of one release, earlier ones being answered as told.

    Args:
        audited: edge and quantity of the release, as ``mechanisms.stream`` names it.
        seed: of the noise.
        n_topics: ``k``.
        alpha0: ``α0``.
        sabotage: of mechanism or noise; None for the run as it is.
        apart: the sensitivity over the length of one document's part.

    Raises:
        AssertionError: no release of that name was reached.
        DpldaError: the run was refused.
    """
    noise = noise if sabotage is None else sabotage.source(seed, noise)
    through = partial(_Conditional, audited, answers, draws, sabotage, apart)
    try:
        run(corpus, plan, Problem(n_topics, alpha0), Resources(seed, noise, through=through))
    except _Reached as reached:
        return reached.drawn
    raise AssertionError(f"{audited} was never released")
