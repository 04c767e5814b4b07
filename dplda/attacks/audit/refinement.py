"""Refinement and its first release alone, the private unigram.

The neighbours' one document that is not empty says one word or another, so often that it is scaled down to the bound
wherever it is counted: orthogonal parts of full norm, as far apart as non-negative parts may be.
"""

from functools import partial

from dplda.attacks.audit.attack import Attack
from dplda.attacks.audit.neighbours import among_empty, only
from dplda.attacks.audit.promise import MOST, AuditedPromise
from dplda.corpus import Corpus
from dplda.methods.full_batch_vi.recipe import Recipe
from dplda.methods.full_batch_vi.refine import run_refine
from dplda.methods.full_batch_vi.unigram import private_unigram
from dplda.methods.problem import Budget, Problem
from dplda.methods.resources import Resources
from dplda.privacy.noise.sources import NoiseSource
from dplda.privacy.release import Release

K, D, STEPS = 2, 4, 3
WORD_OR_OTHER = among_empty(only(0, D, 10_000)), among_empty(only(1, D, 10_000))


def _refine(
    recipe: Recipe, corpus: Corpus, promise: AuditedPromise, seed: int, noise: NoiseSource
) -> tuple[Release, ...]:
    budget = Budget(promise.epsilon, promise.delta)
    return run_refine(corpus, Problem(K, 1.0), budget, Resources(seed, noise), recipe=recipe).refined.releases


def _unigram(corpus: Corpus, promise: AuditedPromise, seed: int, noise: NoiseSource) -> tuple[Release, ...]:
    return private_unigram(corpus, Budget(promise.epsilon, promise.delta), Resources(seed, noise)).releases


def _refinement(title: str, edge: str, stream: str, words_share: float, steps: int) -> Attack:
    """No spectral start, and shares as they are asked for."""
    run = partial(_refine, Recipe(border=0.0, infeasible=1e9, plenty=1e-30, words_share=words_share, steps=steps))
    return Attack(
        method="refined",
        name=title,
        title=title,
        edge=edge,
        run=run,
        pair=WORD_OR_OTHER,
        stream=stream,
        reads_bits=True,
    )


REFINED = (
    _refinement("word counts", "words", "words clipped word counts", MOST, 1),
    _refinement("a step", "steps", "steps clipped statistic of a step", 1 - MOST, 1),
    _refinement("a whole run", "all", "", 0.25, STEPS),
)
UNIGRAM = (
    Attack(
        method="private-unigram",
        name="word counts",
        title="word counts",
        edge="words",
        run=_unigram,
        pair=WORD_OR_OTHER,
        reads_bits=True,
    ),
)
