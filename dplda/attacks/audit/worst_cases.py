"""Worst neighbors for every release of every proven configuration.

Each comes with answers to the other releases, which its claim depends on, and with a split that gives the attacked
release 98 % of the budget, so its noise nearly meets the promise of the whole run.
"""

import math
from collections.abc import Mapping
from functools import partial

import numpy as np

from dplda.attacks.audit.attack import ROOT_TWO, Attack
from dplda.attacks.audit.neighbours import Pair, one_word_neighbors, opposite_directions
from dplda.attacks.audit.promise import ATTACKED_SHARE
from dplda.attacks.replay import Answer
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.adaptive import COUNTS_AGAIN, COUNTS_FIRST
from dplda.methods.configurations.pairs_then_tensor import TRIPLES
from dplda.methods.configurations.variant import Calibration, NoiseLaw, Scaling, Variant
from dplda.methods.denoising.word_frequencies import MIN_SHARE
from dplda.methods.registry import parse_method
from dplda.spectral.cumulants import Coefficients

AGAIN = {COUNTS_AGAIN.name: TRIPLES.name}  # spends the tensor's share
UP, DOWN = 1e9, -1e9  # counts that lead a search to its highest and lowest level
OPPOSITE = one_word_neighbors(0, 1, *[2] * 7, n_words=6)
PRESENT = one_word_neighbors(0, *[None] * 8, n_words=6)
TWO_WORDS = one_word_neighbors(0, 1, 0, 1, n_words=2)
GONE = one_word_neighbors(0, None, 0, 1, n_words=2)


def _split(names: tuple[str, ...], most: str) -> tuple[tuple[str, float], ...]:
    if most not in names:
        return tuple((name, 1 / len(names)) for name in names)
    return tuple(
        (name, ATTACKED_SHARE if name == most else (1 - ATTACKED_SHARE) / (len(names) - 1))
        for name in names
    )


def _first_words(variant: Variant, share: str) -> float | None:
    """Share of a configuration's first word counts: most of the budget, or little if counted again."""
    if not variant.extra_releases:
        return None
    return {COUNTS_FIRST.name: ATTACKED_SHARE, COUNTS_AGAIN.name: MIN_SHARE}.get(share, 0.0)


def _variant(configuration: str, scaling: Scaling) -> Variant:
    return REGISTRY[configuration].variants[scaling]


def _attack(
    method: tuple[str, Scaling],
    stream: str,
    share: str,
    pair: Pair,
    answers: Mapping[str, Answer],
    apart: float = ROOT_TWO,
    reach: float = 1.0,
    *,
    alpha0: float = 1.0,
    reads_bits: bool = False,
) -> Attack:
    known, laplace = parse_method("/".join(method)), method[1] is NoiseLaw.LAPLACE
    split = _split(known.quantities, AGAIN.get(share, share))
    edge, quantity = stream.split(" ", 1)
    return Attack(
        method=known,
        name=share,
        title=f"{edge}: {quantity}",
        edge=edge,
        pair=pair,
        problem=Problem(2, alpha0),
        budget=Budget(split=split, first_words=_first_words(_variant(*method), share)),
        stream=stream,
        answers=answers,
        laplace=laplace,
        sensitivity_per_part=apart,
        attained_share=reach,
        failure_share=_variant(*method).failure,
        reads_bits=laplace
        or reads_bits,  # neighbors have words that others lack, or none, in 2ⁿ documents
    )


def _adaptive() -> list[Attack]:
    known = opposite_directions(6)
    square = Coefficients(1.0).a * np.outer(known.words, known.words)
    answers: dict[str, Answer] = {
        "e2 clip level of pair frequencies": UP,
        "e2 pair average": 1e4 * (known.pairs - square) + square,  # far above the assumed noise
        "e2 word average": known.words,
        "e2 mean weight of a document": 1.0,
        "e6 clip level of whitened triples": DOWN,
    }
    clipped = answers | {"e2 clip level of pair frequencies": DOWN}
    no_pairs = answers | {
        "e2 clipped word counts": np.zeros(6),
        "e2 pair average": np.zeros((6, 6)),
    }
    attack = partial(_attack, ("adaptive", Calibration.CORRECTED))
    return [
        attack("e2 clipped word counts", COUNTS_FIRST.name, OPPOSITE, answers, reads_bits=True),
        attack(
            "e2 clipped word counts, again", COUNTS_AGAIN.name, OPPOSITE, no_pairs, reads_bits=True
        ),
        attack("e2 clip level of pair frequencies", "pair clip", PRESENT, answers, 1.0),
        attack("e2 pair average", "pairs", OPPOSITE, clipped),
        attack("e2 word average", "words", OPPOSITE, answers, reads_bits=True),
        attack("e2 mean weight of a document", "mass", PRESENT, answers, 1.0, reads_bits=True),
        attack("e6 clip level of whitened triples", "triple clip", PRESENT, answers, 1.0),
        attack("e6 whitened triple average", "triples", OPPOSITE, answers, 2.0),
    ]


def _plain(configuration: str, scaling: Scaling, edge: str, *back: str) -> list[Attack]:
    """As many topics as words: the whitener is square, so whitening hides nothing."""
    large, apart = np.diag([3e4, 2e4]), np.zeros((2, 2, 2))  # far above the assumed noise
    apart[0, 0, 0] = apart[1, 1, 1] = 1.0  # decomposed at once
    answers: dict[str, Answer] = {
        f"{edge} pair average": large,
        f"{edge} word average": np.array([0.6, 0.4]),
        f"{edge} mean weight of a document": 1.0,
        "e8 pair average": large,
        "e3 triple average, seen whitened": apart,
    }
    attack = partial(_attack, (configuration, scaling))
    two_parts = 2.0 if scaling is NoiseLaw.LAPLACE else ROOT_TWO
    return [
        attack(f"{edge} pair average", "pairs", TWO_WORDS, answers, two_parts),
        attack(f"{edge} word average", "words", TWO_WORDS, answers, two_parts),
        attack(f"{edge} mean weight of a document", "mass", GONE, answers, 1.0),
        *[attack(stream, "pairs for W†", TWO_WORDS, answers, two_parts) for stream in back],
        attack("e3 triple average, seen whitened", "triples", TWO_WORDS, answers, two_parts),
    ]


def _aligned() -> list[Attack]:
    """With α0 near 0 the moments average pairs and triples, and one-word documents make them diagonal."""
    words, triple_words = (0,) * 4 + (1,) * 3 + (2,) * 2, (0,) * 9_999 + (1,) * 10_000
    sharper, nearer = (
        one_word_neighbors(1, 0, *words, n_words=3),
        one_word_neighbors(2, 1, *words, n_words=3),
    )
    halves = one_word_neighbors(0, 1, *triple_words, n_words=3)
    bounds = (
        "e6 k-th eigenvalue of M2",
        "e6 gap after the k-th eigenvalue",
        "e6 largest word frequency",
        "e6 largest pair frequency",
    )
    answers: dict[str, Answer] = {
        "e8 pair moment": np.diag([3e4, 2e4, 0.0]),
        **dict.fromkeys(bounds, 0.5),
    }
    few = answers | dict.fromkeys(bounds, 1e3)  # far above the noise of few documents
    wide = few | {"e8 pair moment": np.diag([3e4, 2e4, 0.0, 0.0, 0.0, 0.0])}
    turned, at_one = 2 / (1 + ROOT_TWO), math.sqrt(2 + 4 * Coefficients(1.0).a ** 2)
    attack = partial(_attack, ("config-2", Calibration.CORRECTED), alpha0=1e-6)
    return [
        attack("e8 pair moment", "e8", OPPOSITE, wide, at_one, alpha0=1.0),
        attack("e6 k-th eigenvalue of M2", "σk", sharper, few, 2.0, turned),
        attack("e6 gap after the k-th eigenvalue", "gap", nearer, few, 4.0, turned),
        attack("e6 largest word frequency", "largest word", sharper, few, 1.0),
        attack("e6 largest pair frequency", "largest pair", sharper, few, 1.0),
        # the values are 2/N apart, Theorem 5′ allows 16/N
        attack("e6 whitened tensor in a private frame", "e6", halves, answers, 1.0, 1 / 8),
    ]


ATTACKS = [
    *_adaptive(),
    *_plain("shared-moment", Calibration.CORRECTED, "e2"),
    *_plain("config-1", Calibration.CORRECTED, "e4", "e8 pair average"),
    *_plain("config-1", NoiseLaw.LAPLACE, "e4", "e8 pair average"),
    *_aligned(),
]
