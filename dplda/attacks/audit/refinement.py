"""Refinement and its first release alone, the private unigram: releases drawn many times, earlier ones being given.

The neighbours' one document that is not empty says one word or another, so often that it is scaled down to the bound
wherever it is counted: orthogonal parts of full norm, as far apart as non-negative parts may be.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from dplda.attacks.audit import looks
from dplda.attacks.audit.answering import Answering, Answers, DrawnRelease, Through
from dplda.attacks.audit.attack import Gaussian, Seen, bits_are_read
from dplda.attacks.audit.neighbours import Pair, Rows, among_empty, corpus_of, only
from dplda.attacks.audit.promise import MOST, AuditedPromise
from dplda.attacks.audit.sabotage import Sabotage
from dplda.corpus import Corpus
from dplda.methods.full_batch_vi.recipe import Recipe
from dplda.methods.full_batch_vi.refine import run_refine
from dplda.methods.full_batch_vi.unigram import private_unigram
from dplda.methods.problem import Budget, Problem
from dplda.methods.resources import Resources
from dplda.privacy.noise.sources import NoiseSource

K, D, STEPS = 2, 4, 3
ROOT = math.sqrt(2)
DOCUMENTS = (only(0, D, 10_000), only(1, D, 10_000))


@dataclass(frozen=True, slots=True, eq=False)
class RunAudit(Gaussian):
    """Releases of a run, and how they are attacked.

    Attributes:
        run: of a corpus, to a promise, with a seed and noise, through mechanisms.
        releases: which of them are attacked, in order.
        parts: how far apart they may be, over the declared sensitivity: √2 where that is one document's part, as an
            accountant of minibatches has it.
    """

    title: str
    edge: str
    run: Callable[[Corpus, AuditedPromise, int, NoiseSource | None, Through], object]
    answers: Answers
    releases: slice
    parts: float = field(default=1.0, kw_only=True)

    @property
    def name(self) -> str:
        """As the title."""
        return self.title

    @property
    def reads_bits(self) -> bool:
        """Each document's word is one that the other never says."""
        return True

    def drawn(
        self,
        rows: Rows,
        promise: AuditedPromise,
        draws: int,
        seed: int,
        sabotage: Sabotage | None = None,
        answers: Answers | None = None,
    ) -> list[DrawnRelease]:
        """Draws of every release on a corpus, in order; one of those that are not attacked."""
        found: list[DrawnRelease] = []
        given, apart = answers or self.answers, ROOT
        through = partial(Answering, found, given, draws, self.releases, apart, sabotage)
        noise = promise.noise if sabotage is None else sabotage.source(seed, promise.noise)
        corpus = corpus_of(rows, persons=promise.persons, sabotage=sabotage)
        self.run(corpus, promise, seed, noise, through)
        return found

    @property
    def pair(self) -> Pair:
        """One document among empty ones."""
        one, two = map(among_empty, DOCUMENTS)
        return one, two

    def stretch(self, promise: AuditedPromise, pair: Pair, sabotage: Sabotage | None = None) -> float:
        """Of the release that is driven farthest."""
        one, two = (self.drawn(rows, promise, 1, 0, sabotage)[self.releases] for rows in pair)
        return max(
            float(np.linalg.norm(a.shown - b.shown)) / (self.parts * a.release.sensitivity)
            for a, b in zip(one, two, strict=True)
        )

    def both(
        self, promise: AuditedPromise, draws: int, seed: int = 0, sabotage: Sabotage | None = None
    ) -> tuple[list[DrawnRelease], list[DrawnRelease]]:
        """What is attacked, on both neighbours; their noise has nothing in common, unless that is the sabotage."""
        one, two = (
            self.drawn(among_empty(document), promise, draws, 2 * seed + side, sabotage)[self.releases]
            for side, document in enumerate(DOCUMENTS)
        )
        return one, two

    def seen(self, promise: AuditedPromise, draws: int, seed: int = 0, sabotage: Sabotage | None = None) -> Seen:
        """Scores add up the logarithms of the likelihood ratios of Gaussian noise, up to their place and unit."""
        one, two = self.both(promise, draws, seed, sabotage)
        scores, bits = np.zeros((2, draws)), bits_are_read(self, promise, sabotage)
        for a, b in zip(one, two, strict=True):
            both = [looks.towards(side.values, a.shown, b.shown, bits=bits) for side in (a, b)]
            scores += np.array(both) / a.release.scale**2
        return Seen(scores[0], scores[1], np.hstack([part.residuals for part in one]))

    def __str__(self) -> str:
        return self.title


def _refine(
    recipe: Recipe, corpus: Corpus, promise: AuditedPromise, seed: int, noise: NoiseSource | None, through: Through
) -> object:
    budget = Budget(promise.epsilon, promise.delta)
    return run_refine(corpus, Problem(K, 1.0), budget, Resources(seed, noise, through=through), recipe=recipe)


def _unigram(corpus: Corpus, promise: AuditedPromise, seed: int, noise: NoiseSource | None, through: Through) -> object:
    return private_unigram(corpus, Budget(promise.epsilon, promise.delta), Resources(seed, noise, through=through))


def _refinement(title: str, edge: str, words_share: float, steps: int, releases: slice) -> RunAudit:
    """No spectral start, and shares as they are asked for."""
    recipe = Recipe(border=0.0, infeasible=1e9, plenty=1e-30, words_share=words_share, steps=steps)
    statistics = [np.linspace(1, 5, K * D).reshape(K, D) * (1 + t) for t in range(steps)]
    return RunAudit(title, edge, partial(_refine, recipe), (WORDS, *statistics), releases)


WORDS = np.array([90.0, 70.0, 60.0, 80.0])
REFINED = (
    _refinement("word counts", "words", MOST, 1, slice(0, 1)),
    _refinement("a step", "steps", 1 - MOST, 1, slice(1, 2)),
    _refinement("a whole run", "all", 0.25, STEPS, slice(None)),
)
UNIGRAM = (RunAudit("word counts", "words", _unigram, (WORDS,), slice(None)),)
