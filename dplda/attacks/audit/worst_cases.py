"""Worst neighbors for every release of every proven configuration.

Each comes with answers to the other releases, which its claim depends on, and with a split that
gives the attacked release 98 % of the budget, so its noise nearly meets the promise of the whole
run.
"""

import math
from collections.abc import Mapping
from functools import partial

import numpy as np

from dplda.attacks.audit.attack import ROOT_TWO, Attack
from dplda.attacks.audit.neighbours import Pair, one_word_neighbors, opposite_directions
from dplda.attacks.audit.promise import ATTACKED_SHARE
from dplda.attacks.replay import Answer
from dplda.methods.base.calibration import Calibration, NoiseLaw, Scaling
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.adaptive import COUNTS_AGAIN, COUNTS_FIRST
from dplda.methods.configurations.pairs_then_tensor import TRIPLES
from dplda.methods.configurations.variant import Variant
from dplda.methods.denoising.word_frequencies import MIN_SHARE
from dplda.methods.registry import parse_method
from dplda.spectral.cumulants import Coefficients

PAID_BY = {COUNTS_AGAIN.name: TRIPLES.name}  # the second word counts spend the tensor's share
HIGHEST = 1e9  # count that leads a search to its highest level
LOWEST = -1e9  # and to its lowest
FAR_ABOVE_NOISE = 1e3  # an answer against the noise of few documents
OPPOSITE_WORDS = one_word_neighbors(0, 1, *[2] * 7, n_words=6)
WORD_OR_NOTHING = one_word_neighbors(0, *[None] * 8, n_words=6)
ONE_OF_TWO_WORDS = one_word_neighbors(0, 1, 0, 1, n_words=2)
ONE_OF_TWO_OR_NOTHING = one_word_neighbors(0, None, 0, 1, n_words=2)


def _split_for(names: tuple[str, ...], attacked: str) -> tuple[tuple[str, float], ...]:
    """Split that gives one release most of the budget.

    A release without a share of its own leaves all shares the same. Otherwise there have to be two
    names or more.
    """
    n_names = len(names)
    if attacked not in names:
        return tuple((name, 1 / n_names) for name in names)
    other_share = (1 - ATTACKED_SHARE) / (n_names - 1)
    shares = dict.fromkeys(names, other_share)
    shares[attacked] = ATTACKED_SHARE
    return tuple(shares.items())


def _first_words_share(variant: Variant, share: str) -> float | None:
    """Share of a configuration's first word counts; None for a configuration without them.

    It is most of the budget for an attack on these counts, little for one on the words counted
    again, and 0 for every other attack.
    """
    if not variant.extra_releases:
        return None
    share_by_attack = {COUNTS_FIRST.name: ATTACKED_SHARE, COUNTS_AGAIN.name: MIN_SHARE}
    return share_by_attack.get(share, 0.0)


def _attack_on(
    configuration: tuple[str, Scaling],
    stream: str,
    share: str,
    pair: Pair,
    answers: Mapping[str, Answer],
    *,
    sensitivity_per_part: float = ROOT_TWO,
    attained_share: float = 1.0,
    alpha0: float = 1.0,
    reads_bits: bool = False,
) -> Attack:
    """Make an attack on one release of a configuration, which gets the attacked share of budget.

    It finds two topics, and reads last bits of Laplace noise in any case. Arguments are those of
    ``Attack``; ``share`` is the release's name in a split, and the attack's. A release that is paid
    from another one's share (``PAID_BY``) gets that share. For a name that is no share, all shares
    are the same.
    """
    configuration_name, scaling = configuration
    method = parse_method(f"{configuration_name}/{scaling}")
    variant = REGISTRY[configuration_name].variants[scaling]
    edge, quantity = stream.split(" ", 1)
    is_laplace = scaling is NoiseLaw.LAPLACE
    paying_share = PAID_BY.get(share, share)
    split = _split_for(method.quantities, paying_share)
    first_words_share = _first_words_share(variant, share)
    return Attack(
        method=method,
        name=share,
        title=f"{edge}: {quantity}",
        edge=edge,
        pair=pair,
        problem=Problem(2, alpha0),
        budget=Budget(split=split, first_words=first_words_share),
        stream=stream,
        answers=answers,
        laplace=is_laplace,
        sensitivity_per_part=sensitivity_per_part,
        attained_share=attained_share,
        failure_share=variant.failure,
        # neighbors have words that others lack, or none, in 2ⁿ documents
        reads_bits=is_laplace or reads_bits,
    )


def _attacks_on_adaptive() -> list[Attack]:
    """Attacks on every release of ``adaptive``, by answers that let the run reach it."""
    directions = opposite_directions(6)
    word_products = np.outer(directions.words, directions.words)
    mean_square = Coefficients(1.0).a * word_products
    pair_moment = directions.pairs - mean_square
    answers: dict[str, Answer] = {
        "e2 clip level of pair frequencies": HIGHEST,
        # far above the assumed noise
        "e2 pair average": 1e4 * pair_moment + mean_square,
        "e2 word average": directions.words,
        "e2 mean weight of a document": 1.0,
        "e6 clip level of whitened triples": LOWEST,
    }
    answers_with_low_clip = answers | {"e2 clip level of pair frequencies": LOWEST}
    answers_without_pairs = answers | {
        "e2 clipped word counts": np.zeros(6),
        "e2 pair average": np.zeros((6, 6)),
    }
    attack = partial(_attack_on, ("adaptive", Calibration.CORRECTED))
    attack_on_one_part = partial(
        attack, pair=WORD_OR_NOTHING, answers=answers, sensitivity_per_part=1.0
    )
    return [
        attack(
            "e2 clipped word counts", COUNTS_FIRST.name, OPPOSITE_WORDS, answers, reads_bits=True
        ),
        attack(
            "e2 clipped word counts, again",
            COUNTS_AGAIN.name,
            OPPOSITE_WORDS,
            answers_without_pairs,
            reads_bits=True,
        ),
        attack_on_one_part("e2 clip level of pair frequencies", "pair clip"),
        attack("e2 pair average", "pairs", OPPOSITE_WORDS, answers_with_low_clip),
        attack("e2 word average", "words", OPPOSITE_WORDS, answers, reads_bits=True),
        attack_on_one_part("e2 mean weight of a document", "mass", reads_bits=True),
        attack_on_one_part("e6 clip level of whitened triples", "triple clip"),
        attack(
            "e6 whitened triple average",
            "triples",
            OPPOSITE_WORDS,
            answers,
            sensitivity_per_part=2.0,
        ),
    ]


def _attacks_on_averages(
    configuration: str, scaling: Scaling, edge: str, *pair_streams: str
) -> list[Attack]:
    """Attacks on averages of words, pairs and triples.

    As many topics as words: the whitener is square, so whitening hides nothing.

    Args:
        configuration: its name.
        scaling: how its noise is scaled.
        edge: edge on which pairs, words and weights are released.
        pair_streams: streams of further pair averages.
    """
    large_pairs = np.diag([3e4, 2e4])  # far above the assumed noise
    diagonal_tensor = np.zeros((2, 2, 2))
    diagonal_tensor[0, 0, 0] = 1.0
    diagonal_tensor[1, 1, 1] = 1.0  # decomposed at once
    answers: dict[str, Answer] = {
        f"{edge} pair average": large_pairs,
        f"{edge} word average": np.array([0.6, 0.4]),
        f"{edge} mean weight of a document": 1.0,
        "e8 pair average": large_pairs,
        "e3 triple average, seen whitened": diagonal_tensor,
    }
    attack = partial(
        _attack_on,
        (configuration, scaling),
        pair=ONE_OF_TWO_WORDS,
        answers=answers,
        sensitivity_per_part=2.0 if scaling is NoiseLaw.LAPLACE else ROOT_TWO,
    )
    return [
        attack(f"{edge} pair average", "pairs"),
        attack(f"{edge} word average", "words"),
        attack(
            f"{edge} mean weight of a document",
            "mass",
            pair=ONE_OF_TWO_OR_NOTHING,
            sensitivity_per_part=1.0,
        ),
        *(attack(stream, "pairs for W†") for stream in pair_streams),
        attack("e3 triple average, seen whitened", "triples"),
    ]


def _attacks_on_aligned() -> list[Attack]:
    """Attacks on the corrected Configuration 2.

    With α0 near 0 the moments average pairs and triples, and one-word documents make them diagonal.
    """
    pair_words = (0,) * 4 + (1,) * 3 + (2,) * 2
    neighbors_in_first_words = one_word_neighbors(1, 0, *pair_words, n_words=3)
    neighbors_in_last_words = one_word_neighbors(2, 1, *pair_words, n_words=3)
    triple_words = (0,) * 9_999 + (1,) * 10_000
    neighbors_in_halves = one_word_neighbors(0, 1, *triple_words, n_words=3)
    bound_streams = (
        "e6 k-th eigenvalue of M2",
        "e6 gap after the k-th eigenvalue",
        "e6 largest word frequency",
        "e6 largest pair frequency",
    )
    answers: dict[str, Answer] = {
        "e8 pair moment": np.diag([3e4, 2e4, 0.0]),
        **dict.fromkeys(bound_streams, 0.5),
    }
    answers_to_few = answers | dict.fromkeys(bound_streams, FAR_ABOVE_NOISE)
    answers_to_six_words = answers_to_few | {
        "e8 pair moment": np.diag([3e4, 2e4, 0.0, 0.0, 0.0, 0.0])
    }
    attained_by_turning = 2 / (1 + ROOT_TWO)
    a = Coefficients(1.0).a
    moment_sensitivity = math.sqrt(2 + 4 * a**2)
    attack = partial(_attack_on, ("config-2", Calibration.CORRECTED), alpha0=1e-6)
    return [
        attack(
            "e8 pair moment",
            "e8",
            OPPOSITE_WORDS,
            answers_to_six_words,
            sensitivity_per_part=moment_sensitivity,
            alpha0=1.0,
        ),
        attack(
            "e6 k-th eigenvalue of M2",
            "σk",
            neighbors_in_first_words,
            answers_to_few,
            sensitivity_per_part=2.0,
            attained_share=attained_by_turning,
        ),
        attack(
            "e6 gap after the k-th eigenvalue",
            "gap",
            neighbors_in_last_words,
            answers_to_few,
            sensitivity_per_part=4.0,
            attained_share=attained_by_turning,
        ),
        attack(
            "e6 largest word frequency",
            "largest word",
            neighbors_in_first_words,
            answers_to_few,
            sensitivity_per_part=1.0,
        ),
        attack(
            "e6 largest pair frequency",
            "largest pair",
            neighbors_in_first_words,
            answers_to_few,
            sensitivity_per_part=1.0,
        ),
        # the values are 2/N apart, Theorem 5′ allows 16/N
        attack(
            "e6 whitened tensor in a private frame",
            "e6",
            neighbors_in_halves,
            answers,
            sensitivity_per_part=1.0,
            attained_share=1 / 8,
        ),
    ]


ATTACKS = [
    *_attacks_on_adaptive(),
    *_attacks_on_averages("shared-moment", Calibration.CORRECTED, "e2"),
    *_attacks_on_averages("config-1", Calibration.CORRECTED, "e4", "e8 pair average"),
    *_attacks_on_averages("config-1", NoiseLaw.LAPLACE, "e4", "e8 pair average"),
    *_attacks_on_aligned(),
]
