"""Refinement and its first release alone, the private unigram.

The neighbours' one document that is not empty says one word or another, so often that it is scaled down to the bound
wherever it is counted: orthogonal parts of full norm, as far apart as non-negative parts may be.
"""

from dplda.attacks.audit.attack import Attack
from dplda.attacks.audit.neighbours import among_empty, only
from dplda.attacks.audit.promise import MOST
from dplda.methods.full_batch_methods import refined
from dplda.methods.full_batch_vi.recipe import Recipe
from dplda.methods.registry import parse_method

D, STEPS = 4, 3
WORD_OR_OTHER = among_empty(only(0, D, 10_000)), among_empty(only(1, D, 10_000))


def _refinement(title: str, edge: str, stream: str, words_share: float, steps: int) -> Attack:
    """No spectral start, and shares as they are asked for."""
    recipe = Recipe(border=0.0, infeasible=1e9, plenty=1e-30, words_share=words_share, steps=steps)
    return Attack(
        method=refined(recipe),
        name=title,
        title=title,
        edge=edge,
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
        method=parse_method("private-unigram"),
        name="word counts",
        title="word counts",
        edge="words",
        pair=WORD_OR_OTHER,
        reads_bits=True,
    ),
)
