"""Mechanisms that are watched: what a fit showed them, what they answered, and answers played back to another fit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from dplda import Corpus, Plan
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.privacy.bounded_sum import BoundedL1Sum, BoundedSum
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.named_quantity import NamedQuantity
from dplda.privacy.noise.layouts import Layout
from dplda.privacy.noise.sources import NoiseSource
from dplda.privacy.release import Release
from dplda.spectral import tensor
from dplda.spectral.corpus_statistics import StatisticsCache
from tests.privacy.sources import seeded


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """One release, seen from inside: what was shown, what the fit went on with, and which draws it took."""

    method: str
    label: NamedQuantity
    shown: Any
    others: tuple[Any, ...]
    named: dict[str, Any]
    answer: Any
    release: Release
    draws: tuple[int, ...]


class Watched:
    """Stands in for ``Mechanisms``: writes every call down, and answers as told, by a release's number."""

    is_exact = False

    def __init__(self, source: NoiseSource, answers: Sequence[Any] | None = None) -> None:
        self._source, self._inner, self._answers = source, Mechanisms(source), answers
        self.calls: list[Call] = []
        self.is_noiseless = self._inner.is_noiseless

    @property
    def releases(self) -> tuple[Release, ...]:
        return self._inner.releases

    def noise_std_of(self, of: NamedQuantity) -> float:
        return self._inner.noise_std_of(of)

    def release_of(self, of: NamedQuantity) -> Release:
        return self._inner.release_of(of)

    def release_sum(
        self,
        quantity: NamedQuantity,
        bounded_sum: BoundedSum,
        *,
        mu: float,
        layout: Layout | None = None,
    ) -> Any:
        """Written down as the release of an array with the sensitivity that the sum carries."""
        parameters = {"sensitivity": bounded_sum.sensitivity, "mu": mu}
        if layout is None and not np.ndim(bounded_sum.value):
            return self.number(quantity, bounded_sum.value, **parameters)
        if layout is None:
            return self.vector(quantity, bounded_sum.value, **parameters)
        return self.gaussian(quantity, bounded_sum.value, layout, **parameters)

    def release_laplace_sum(
        self,
        quantity: NamedQuantity,
        bounded_sum: BoundedL1Sum,
        *,
        epsilon: float,
        layout: Layout | None = None,
    ) -> Any:
        """Written down as the Laplace release of an array with the sensitivity that the sum carries."""
        parameters = {"sensitivity": bounded_sum.sensitivity, "epsilon": epsilon}
        if layout is None:
            return self.laplace_number(quantity, bounded_sum.value, **parameters)
        return self.laplacian(quantity, bounded_sum.value, layout, **parameters)

    def __getattr__(self, method: str) -> Any:
        def call(label: NamedQuantity, value: Any, *others: Any, **named: Any) -> Any:
            shown_value = np.copy(value) if isinstance(value, np.ndarray) else value
            n_draws_before = len(getattr(self._source, "sizes", ()))
            answer = getattr(self._inner, method)(label, value, *others, **named)
            n_draws_after = len(getattr(self._source, "sizes", ()))
            if self._answers is not None:
                answer = self._answers[len(self.calls)]
                answer = np.copy(answer) if isinstance(answer, np.ndarray) else answer
            release = self._inner.releases[-1]
            self.calls.append(
                Call(
                    method,
                    label,
                    shown_value,
                    others,
                    named,
                    answer,
                    release,
                    tuple(range(n_draws_before, n_draws_after)),
                )
            )
            return answer

        return call

    def answers(self) -> list[Any]:
        return [call.answer for call in self.calls]


def recorded(
    corpus: Corpus,
    plan: Plan,
    *,
    n_topics: int = 3,
    alpha0: float = 1.0,
    seed: int = 0,
    noise: NoiseSource | None = None,
    sums: StatisticsCache | None = None,
    answers: Sequence[Any] | None = None,
    quick: bool = False,
) -> tuple[FitResult, Watched]:
    """A fit with all that its mechanisms were shown and answered, by what was answered before if it is given.

    Scales are those that the fit itself asks for. A quick one spares the decomposition.
    """
    watched = Watched(noise or seeded(seed), answers)
    resources = Runtime(seed, statistics=sums, make_mechanisms=lambda source: watched)
    with pytest.MonkeyPatch.context() as patch:
        if quick:
            patch.setattr(tensor, "MAX_STARTS", 1)
            patch.setattr(tensor, "MAX_SWEEPS", 1)
        return fit_spectral(corpus, plan, Problem(n_topics, alpha0), resources), watched
