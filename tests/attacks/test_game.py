"""The game of guessing: what the losses of whole runs add up to, and what they may never be."""

import math
from dataclasses import replace
from functools import cache
from itertools import islice

import numpy as np
import pytest
from scipy.stats import norm

from dplda.attacks.game import best_score, play_runs
from dplda.attacks.neighbour_pairs import PAIRS, SECRET, TURN
from dplda.core.errors import InputError
from dplda.methods.base.problem import Budget
from dplda.methods.registry import METHODS, parse_method
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.odds import best_guess
from dplda.theory.gaps import counterexamples

BUDGET = Budget(3.0, 1e-5)
SMALL = replace(
    SECRET,
    common_documents=tuple((words, number // 10) for words, number in SECRET.common_documents),
)
TURNED = replace(
    TURN,
    common_documents=tuple(
        (words, -(-number // 50) * 5 - number % 2) for words, number in TURN.common_documents
    ),
)
PUBLISHED, PROVEN, UNIGRAM = "config-2/as published", "adaptive", "private-unigram"


def losses(
    text: str, pair=SMALL, n: int = 200, budget: Budget = BUDGET
) -> tuple[np.ndarray, np.ndarray]:
    drawn_runs = list(islice(play_runs(parse_method(text), budget, pair, seed=1), n))
    return np.array([draw.loss for draw in drawn_runs]), np.array(
        [draw.used_first for draw in drawn_runs]
    )


def test_game_pairs_differ_in_one_document() -> None:
    for pair in PAIRS.values():
        first_rows, second = (corpus.counts.toarray() for corpus in pair.corpora())
        assert len(first_rows) == len(second) == pair.n_documents
        assert np.any(first_rows != second, axis=1).sum() == 1
    rotation = counterexamples.rotation(TURN.n_documents)
    numbers = [number + (words == TURN.first_words) for words, number in TURN.common_documents]
    assert numbers == [number for _, number in rotation.documents]


def test_losses_of_a_gaussian_release_follow_the_normal_law() -> None:
    """Counts of words of one document, clipped at C, are C apart in two words: μ is known, and so is the loss' law."""
    mu = gaussian.mu_for(BUDGET.epsilon, BUDGET.delta)
    losses_found, was_one = losses(UNIGRAM, n=300)
    signed = np.where(
        was_one, losses_found, -losses_found
    )  # of the corpus that the run was on: N(μ²/2, μ²)
    assert abs(signed.mean() - mu**2 / 2) < 4 * mu / math.sqrt(len(losses_found))
    assert abs(signed.std() - mu) < 4 * mu / math.sqrt(2 * len(losses_found))
    score, error = best_score(losses_found)
    assert abs(score - norm.cdf(mu / 2)) < 4 * error
    assert score <= best_guess(BUDGET.epsilon, BUDGET.delta)


def test_player_score_passes_the_allowed_guess_only_with_published_noise() -> None:
    """A right guess has the chance that is averaged: 4 standard errors are passed once in 16,000 times."""
    for text, pair, n in ((PUBLISHED, TURN, 30), (PROVEN, TURN, 30), (UNIGRAM, SMALL, 100)):
        drawn_runs = list(islice(play_runs(parse_method(text), BUDGET, pair, seed=7), n))
        score, error = best_score(np.array([draw.loss for draw in drawn_runs]))
        played = np.mean([(draw.loss > 0) == draw.used_first for draw in drawn_runs])
        assert (
            abs(played - score) <= 4 * math.hypot(error, math.sqrt(score * (1 - score) / n)) + 1e-12
        )
        assert (score - 4 * error > best_guess(BUDGET.epsilon, BUDGET.delta)) == (text == PUBLISHED)


@cache  # the published noise is the same for every proven method
def excess(text: str, n: int, budget: Budget) -> float:
    """What δ has to cover of this pair at the budget's ε: the mean of (1 − exp(ε − loss))₊ over runs."""
    losses_found, was_one = losses(text, TURNED, n=n, budget=budget)
    return float(
        np.mean(
            np.maximum(
                0, -np.expm1(budget.epsilon - np.where(was_one, losses_found, -losses_found))
            )
        )
    )


@pytest.mark.parametrize(
    "text", [text for text, method in METHODS.items() if method.status == "proven"]
)
def test_delta_covers_what_a_proven_method_loses_beyond_epsilon(text) -> None:
    """Means of numbers from 0 to 1 whose mean is at most 0.01: 40 of them pass 0.15 less than once in 10⁵ times."""
    budget = replace(BUDGET, delta=0.01)
    assert excess(PUBLISHED, 6, budget) > 0.15
    if METHODS[text].uses_minibatches:
        with pytest.raises(InputError, match="shows an attacker only its releases"):
            excess(text, 1, budget)
    else:
        assert excess(text, 6 if text.startswith("refined") else 40, budget) < 0.15
