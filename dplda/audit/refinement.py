"""Refinement drawn many times, release by release, the answers to earlier ones being given.

The neighbours' one document that is not empty says one word or another, so often that it is scaled down to the bound
wherever it is counted: orthogonal parts of full norm, as far apart as non-negative parts may be.
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import TypeVar, cast

import numpy as np

from dplda._types import Matrix, Tensor3, Vector
from dplda.audit.evidence import Measure, Scores, gaussian_mu
from dplda.audit.neighbours import Rows, corpus_of, only
from dplda.audit.promise import MOST, Promise
from dplda.audit.sabotage import Sabotage
from dplda.corpus import Corpus
from dplda.privacy import gaussian
from dplda.privacy.exact import ExactNoise
from dplda.privacy.layouts import Layout
from dplda.privacy.mechanisms import Mechanisms, Named
from dplda.privacy.noise import NoiseSource
from dplda.privacy.release import Release
from dplda.privacy.whole import Whole
from dplda.refined.recipe import Recipe
from dplda.refined.refine import run_refine

Value = TypeVar("Value", float, Vector, Matrix, Tensor3)
K, D, STEPS = 2, 4, 3
DOCUMENTS = (only(0, D, 10_000), only(1, D, 10_000))


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """One release, drawn many times.

    Attributes:
        values: shape (draws, numbers).
        shown: before noise, shape (numbers,).
        release: the first draw's.
    """

    values: Matrix
    shown: Vector
    release: Release


@dataclass(frozen=True, slots=True)
class RefinedAudit:
    """Releases of a refinement, and how they are attacked.

    Attributes:
        title: what is looked at.
        edge: where it is released.
        recipe: that gives it nearly all of the budget.
        releases: which of a run's, in order.
        exact: whether noise is that of a release, on whole numbers; else it is simulated.
    """

    title: str
    edge: str
    recipe: Recipe
    releases: slice
    exact: bool = False

    @property
    def name(self) -> str:
        """As the title."""
        return self.title

    @property
    def laplace(self) -> bool:
        """Never."""
        return False

    @property
    def measure(self) -> Measure:
        """What is bounded: μ."""
        return gaussian_mu

    def claimed(self, promise: Promise) -> float:
        """μ of the whole run."""
        return gaussian.mu_for(promise.epsilon, promise.delta)

    def drawn(
        self, promise: Promise, draws: int, seed: int = 0, sabotage: Sabotage | None = None
    ) -> tuple[list[Drawn], list[Drawn]]:
        """Draws of what is audited, on both neighbours; their noise has nothing in common, unless sabotaged."""
        one, two = (
            drawn(
                neighbour(document),
                self.recipe,
                answers(self.recipe),
                promise=promise,
                draws=draws,
                seed=2 * seed + side,
                sabotage=sabotage,
                wanted=self.releases,
                exact=self.exact,
            )[self.releases]
            for side, document in enumerate(DOCUMENTS)
        )
        return one, two

    def scores(
        self, promise: Promise, draws: int, seed: int = 0, sabotage: Sabotage | None = None
    ) -> tuple[Scores, Scores]:
        """The logarithm of the likelihood ratio of Gaussian noise of all that is audited, up to its place and unit."""
        one, two = self.drawn(promise, draws, seed, sabotage)
        apart = [(a.shown - b.shown) / a.release.scale**2 for a, b in zip(one, two, strict=True)]
        first, second = (
            np.sum([part.values @ direction for part, direction in zip(side, apart, strict=True)], axis=0)
            for side in (one, two)
        )
        return first, second

    def __str__(self) -> str:
        return self.title


def _recipe(words_share: float, steps: int) -> Recipe:
    """No spectral start, and shares as they are asked for."""
    return Recipe(border=0.0, infeasible=1e9, plenty=1e-30, words_share=words_share, steps=steps)


REFINED = (
    RefinedAudit("word counts", "words", _recipe(MOST, 1), slice(0, 1)),
    RefinedAudit("a step", "steps", _recipe(1 - MOST, 1), slice(1, 2)),
    RefinedAudit("a whole run", "all", _recipe(0.25, STEPS), slice(None)),
)


class _Answering(Mechanisms):
    """Keeps what it drew and answers as told."""

    def __init__(
        self,
        draws: int,
        answers: list[Vector | Matrix],
        drawn: list[Drawn],
        sabotage: Sabotage | None,
        wanted: slice,
        source: NoiseSource,
    ) -> None:
        super().__init__(source)
        self._draws, self._answers, self._drawn = draws, answers, drawn
        self._sabotage, self._wanted = sabotage, range(len(answers))[wanted]

    @property
    def releases(self) -> tuple[Release, ...]:
        """None: of what is drawn again and again nobody is to add up the budget."""
        return ()

    def release_of(self, of: Named) -> Release:
        """The latest of a quantity."""
        return next(release for release in reversed(self._releases) if release.name == of.name)

    def _gaussian(self, of: Named, value: object, layout: Layout[Value], sensitivity: float, mu: float) -> Value:
        if self._sabotage is not None:
            sensitivity = self._sabotage.sensitivity(sensitivity, math.sqrt(2))
        draw = partial(super()._gaussian, of, cast(Value, value), layout, sensitivity, mu)
        draws = self._draws if len(self._drawn) in self._wanted else 1
        values = np.array([draw() for _ in range(draws)]).reshape(draws, -1)
        shown: Vector = np.ravel(value.numbers * value.unit if isinstance(value, Whole) else np.asarray(value))
        self._drawn.append(Drawn(values, shown, self._releases[-draws]))
        return cast(Value, self._answers[len(self._drawn) - 1].copy())


def answers(recipe: Recipe) -> list[Vector | Matrix]:
    """Word counts, and a matrix for every step: as good as any."""
    steps = [np.linspace(1, 5, K * D).reshape(K, D) * (1 + t) for t in range(recipe.steps)]
    return [np.array([90.0, 70.0, 60.0, 80.0]), *steps]


def neighbour(document: Rows) -> Corpus:
    """The document among two empty ones."""
    return corpus_of(np.array([document, np.zeros(D, dtype=int), np.zeros(D, dtype=int)]))


def drawn(
    corpus: Corpus,
    recipe: Recipe,
    given: list[Vector | Matrix],
    *,
    promise: Promise,
    draws: int,
    seed: int,
    sabotage: Sabotage | None = None,
    wanted: slice = slice(None),
    exact: bool = False,
) -> list[Drawn]:
    """Draws of every release of a run, in order, earlier ones being answered as given; one of those not wanted."""
    found: list[Drawn] = []
    noise = ExactNoise(epsilon=promise.epsilon, delta=promise.delta) if exact else None
    run_refine(
        corpus,
        n_topics=K,
        alpha0=1.0,
        epsilon=promise.epsilon,
        delta=promise.delta,
        recipe=recipe,
        seed=seed,
        noise=noise if sabotage is None else sabotage.source(seed, noise),
        through=partial(_Answering, draws, given, found, sabotage, wanted),
    )
    return found
