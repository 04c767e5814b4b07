"""Refinement drawn many times, release by release, the answers to earlier ones being given.

The neighbours' one document that is not empty says one word or another, so often that it is scaled down to the bound
wherever it is counted: orthogonal parts of full norm, as far apart as non-negative parts may be.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from dplda import Corpus
from dplda.privacy import gaussian
from dplda.privacy.mechanisms import Mechanisms, Named
from dplda.privacy.noise import NoiseSource
from dplda.privacy.release import Release
from dplda.refined import refine as module
from dplda.refined.recipe import Recipe
from tests.audit.worst_cases import DELTA, MOST, MU
from tests.tiny_corpora import Rows, corpus_of, only

K, D, STEPS = 2, 4, 3
FREE = {"border": 0.0, "infeasible": 1e9, "plenty": 1e-30}  # no spectral start, and shares as they are asked for
RECIPES = {
    "word counts": Recipe(**FREE, words_share=MOST, steps=1),
    "a step": Recipe(**FREE, words_share=1 - MOST, steps=1),
    "a whole run": Recipe(**FREE, words_share=0.25, steps=STEPS),
}
AUDITED = {"word counts": slice(0, 1), "a step": slice(1, 2), "a whole run": slice(None)}
DOCUMENTS = (only(0, D, 10_000), only(1, D, 10_000))
CHOICES: dict[str, Any] = {
    "n_topics": K,
    "alpha0": 1.0,
    "epsilon": gaussian.epsilon_for(MU, DELTA),
    "delta": DELTA,
}


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """One release, drawn many times.

    Attributes:
        values: shape (draws, numbers).
        shown: before noise, shape (numbers,).
        release: the first draw's.
    """

    values: np.ndarray
    shown: np.ndarray
    release: Release


class Answering:
    """Stands in for ``Mechanisms``: keeps what it drew and answers as told."""

    exact = False
    releases = ()  # of what is drawn again and again nobody is to add up the budget

    def __init__(self, source: NoiseSource, draws: int, answers: list[np.ndarray], drawn: list[Drawn]) -> None:
        self._inner, self._draws, self._answers, self._drawn = Mechanisms(source), draws, answers, drawn

    def vector(self, of: Named, value: np.ndarray, **named: float) -> np.ndarray:
        return self._answered("vector", of, value, **named)

    def matrix(self, of: Named, value: np.ndarray, **named: float) -> np.ndarray:
        return self._answered("matrix", of, value, **named)

    def noise_in(self, of: Named) -> float:
        return self._inner.noise_in(of)

    def _answered(self, method: str, of: Named, value: np.ndarray, **named: float) -> np.ndarray:
        mechanism = getattr(self._inner, method)
        values = np.array([mechanism(of, value, **named) for _ in range(self._draws)]).reshape(self._draws, -1)
        self._drawn.append(Drawn(values, np.ravel(value), self._inner.releases[-self._draws]))
        return self._answers[len(self._drawn) - 1].copy()


def answers(recipe: Recipe) -> list[np.ndarray]:
    """Word counts, and a matrix for every step: as good as any."""
    steps = [np.linspace(1, 5, K * D).reshape(K, D) * (1 + t) for t in range(recipe.steps)]
    return [np.array([90.0, 70.0, 60.0, 80.0]), *steps]


def drawn(corpus: Corpus, recipe: Recipe, given: list[np.ndarray], *, draws: int, seed: int) -> list[Drawn]:
    """Draws of every release of a run, in order."""
    found: list[Drawn] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "Mechanisms", lambda source: Answering(source, draws, given, found))
        module.refine(corpus, **CHOICES, recipe=recipe, seed=seed)
    return found


def neighbour(document: Rows) -> Corpus:
    return corpus_of(np.array([document, np.zeros(D, dtype=int), np.zeros(D, dtype=int)]))


def both(audit: str, draws: int, seed: int = 0) -> tuple[list[Drawn], list[Drawn]]:
    """Draws of what is audited, on both neighbours; their noise has nothing in common."""
    recipe = RECIPES[audit]
    one, two = (
        drawn(neighbour(document), recipe, answers(recipe), draws=draws, seed=2 * seed + side)[AUDITED[audit]]
        for side, document in enumerate(DOCUMENTS)
    )
    return one, two


def scores(audit: str, draws: int) -> tuple[np.ndarray, np.ndarray]:
    """The logarithm of the likelihood ratio of Gaussian noise of all that is audited, up to its place and unit."""
    one, two = both(audit, draws)
    apart = [(a.shown - b.shown) / a.release.scale**2 for a, b in zip(one, two, strict=True)]
    first, second = (
        sum(part.values @ direction for part, direction in zip(side, apart, strict=True)) for side in (one, two)
    )
    return first, second
