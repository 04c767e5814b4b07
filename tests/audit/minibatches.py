"""Private variational inference drawn many times, step by step, the answers to earlier steps being given.

The neighbours' one document that is not empty says one word or another, so often that it is scaled down to the bound:
what it adds to a minibatch are two orthogonal matrices of full norm, the pair that the accountant's theorem is about.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from dplda._types import Counts
from dplda.baselines import e_step
from dplda.baselines import private_variational as method
from dplda.baselines.e_step import Statistic, exponentiated_expectation, statistic
from dplda.baselines.replaced_loss import replaced_document
from dplda.baselines.settings import VariationalSettings
from dplda.privacy.mechanisms import Mechanisms, Named
from dplda.privacy.noise import NoiseSource
from tests.tiny_corpora import Rows, corpus_of, only

D = 4
SETTINGS = VariationalSettings(sampling_rate=0.6, epochs=1.8, longest=200, bound=5.0)
CHOICES: dict[str, Any] = {"n_topics": 2, "alpha0": 1.0, "epsilon": 12.4, "delta": 1e-7, "settings": SETTINGS}
DOCUMENTS = (only(0, D, 10_000), only(1, D, 10_000))


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One step, drawn many times.

    Attributes:
        values: noisy sums of minibatches, unit of words, shape (draws, k, d).
        parts: what either document of the pair adds when it is taken, each (k, d).
    """

    values: np.ndarray
    parts: tuple[np.ndarray, np.ndarray]


class Answering:
    """Stands in for ``Mechanisms``: keeps what it drew and answers a step as told, one like the other."""

    releases = ()

    def __init__(self, source: NoiseSource) -> None:
        self._inner, self.drawn = Mechanisms(source), []

    def minibatch_matrix(self, of: Named, value: np.ndarray, **named: Any) -> np.ndarray:
        self.drawn.append(self._inner.minibatch_matrix(of, value, **named))
        return np.linspace(0, 1, value.size).reshape(value.shape)

    def noise_in(self, of: Named) -> float:
        return self._inner.noise_in(of)


def neighbour(document: Rows) -> Rows:
    return np.array([document, np.zeros(D, dtype=int), np.zeros(D, dtype=int)])


def remembered(honest: Callable[..., Statistic]) -> Callable[..., Statistic]:
    """The statistic of a minibatch is a function of its documents and the topics: found once for the few there are."""
    known: dict[tuple[bytes, ...], Statistic] = {}

    def statistic_of(counts: Counts, topics: np.ndarray, *given: Any, **named: Any) -> Statistic:
        key = tuple(part.tobytes() for part in (counts.indptr, counts.indices, counts.data, topics))
        if key not in known:
            known[key] = honest(counts, topics, *given, **named)
        return known[key]

    return statistic_of


def steps(document: Rows, draws: int, seed: int) -> list[Step]:
    """Every step of a run on the neighbour with this document; members and noise are the run's own."""
    found: list[Step] = []
    honest = method._Run.step

    def repeated(run: Any, t: int) -> None:
        state, drawn = (run._prior, run._average), run._mechanisms.drawn
        for _ in range(draws):
            run._prior, run._average = state
            honest(run, t)
        expectations = exponentiated_expectation(state[0] + np.maximum(state[1], 0.0))
        parts = [
            statistic(corpus_of([row] * 3).counts[[0]], expectations, run._inference, bound=SETTINGS.bound).total
            for row in DOCUMENTS
        ]
        expected = 3 * SETTINGS.sampling_rate
        found.append(Step(np.array(drawn[-draws:]) * expected, (parts[0], parts[1])))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(method, "Mechanisms", Answering)
        patch.setattr(method._Run, "step", repeated)
        patch.setattr(e_step, "statistic", remembered(e_step.statistic))
        method.run_variational(corpus_of(neighbour(document)), **CHOICES, seed=seed)
    return found


def sigma() -> float:
    """The noise multiplier that a run asks its accountant for."""
    return method.schedule_for(CHOICES["epsilon"], CHOICES["delta"], SETTINGS).noise_multiplier


def scores(found: list[Step]) -> np.ndarray:
    r"""Logarithm of the likelihood ratio of all steps, each a mixture of two Gaussian laws over whether it is taken.

    With x the noisy sum, a the document's part and s the noise's deviation, the ratio to noise alone is
    :math:`1 - ν + ν e^{(⟨x,a⟩ - \|a\|^2/2)/s^2}`.
    """
    rate, deviation = SETTINGS.sampling_rate, sigma() * SETTINGS.bound
    total = np.zeros(len(found[0].values))
    for step in found:
        for sign, part in zip((1, -1), step.parts, strict=True):
            exponent = (np.tensordot(step.values, part, 2) - np.sum(part**2) / 2) / deviation**2
            total += sign * np.log1p(rate * np.expm1(exponent))
    return total


def claimed(epsilons: np.ndarray) -> np.ndarray:
    """The accountant's δ at every ε, for the whole schedule."""
    curve = replaced_document(sigma(), SETTINGS.sampling_rate, SETTINGS.steps)
    return np.array([curve.get_delta_for_epsilon(epsilon) for epsilon in epsilons])
