"""Two corpora, one document apart, told from the last bits of what is released: an attack on every layout.

A symmetric array holds every entry up to six times, and sums in another order give its copies other last bits. If noise
is exactly symmetric, differences between copies are noise-free functions of the documents: the attacker compares them
with those of either corpus, which he knows. (ε, δ)-privacy lets him be right with probability at most
``(e^ε + δ)/(1 + e^ε)``, 0.73 at ε = 1, whatever he looks at.
"""

import math
from collections.abc import Callable
from functools import cache
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from dplda.core.types import Counts
from dplda.corpus import Corpus
from dplda.privacy.gaussian import mu_for
from dplda.privacy.mechanisms import Mechanisms
from dplda.spectral import statistics
from dplda.spectral.moments import triple_sum
from tests.methods.configurations.replay import Call, recorded, replayed
from tests.methods.configurations.variants import ENTRIES, Entry
from tests.privacy.sources import seeded
from tests.tiny_corpora import corpus_of, only, topical_corpus

EPSILON, DELTA, RUNS, ENOUGH = 1.0, 1e-7, 400, 20
ALLOWED = (math.exp(EPSILON) + DELTA) / (1 + math.exp(EPSILON))
FALSE_ALARM = 1e-6


@cache
def neighbours(k: int) -> tuple[Corpus, Corpus]:
    corpus = topical_corpus(k, n_documents=20_000, n_words=24, n_topics=k, alpha0=0.5)
    rows = corpus.counts.toarray()
    rows[7] = only(0, corpus.n_words, 10_000)
    return corpus, corpus_of(rows)


def shown(entry: Entry, k: int) -> tuple[tuple[Call, Call], ...]:
    """What the mechanisms of a fit are shown of a corpus, and of its neighbour after the same answers."""
    corpus, neighbour = neighbours(k)
    _, one = recorded(corpus, entry.plan(1e6), n_topics=k, alpha0=0.5, quick=True)
    _, two = replayed(neighbour, entry.plan(1e6), one.answers(), n_topics=k, alpha0=0.5, noise=seeded(0), quick=True)
    return tuple(zip(one.calls, two.calls, strict=True))


def copies(value: np.ndarray) -> np.ndarray:
    """Differences between the entries that a symmetric array repeats."""
    orders = [order for order in permutations(range(value.ndim)) if order != tuple(range(value.ndim))]
    return np.concatenate([np.ravel(value.transpose(order) - value) for order in orders])


def released(call: Call, seed: int, value: np.ndarray | None = None) -> np.ndarray:
    """The value with the noise that its sensitivity asks for at (ε, δ); another one in its place where given."""
    spent = {"epsilon": EPSILON} if "epsilon" in call.named else {"mu": MU}
    method = getattr(Mechanisms(seeded(seed)), call.method)
    return method(call.label, call.shown if value is None else value, *call.others, **{**call.named, **spent})


def added(call: Call, seed: int) -> np.ndarray:
    """The mutant: exactly symmetric noise on the array as it is, as mechanisms once added it."""
    return call.shown + released(call, seed, np.zeros_like(call.shown))


MU = mu_for(EPSILON, DELTA)


def is_told_apart(one: Call, two: Call, release: Callable[[Call, int], np.ndarray]) -> bool:
    """Whether the attacker is evidently right more often than allowed, at level ``FALSE_ALARM``.

    He guesses the corpus whose copies are nearer, and throws a coin where they say nothing. After ``ENOUGH`` runs that
    all say nothing he gives up: if he is right whenever copies say something, in a share q of the runs, that costs him
    (1 − q)^ENOUGH of his power, and less than 1e-9 at any q, as a small q is not evident anyway.
    """
    patterns = copies(one.shown), copies(two.shown)
    direction, middle = patterns[0] - patterns[1], (patterns[0] + patterns[1]) / 2
    coin, right, symmetric = np.random.default_rng(0), 0, 0
    for run in range(RUNS):
        seen = copies(release((one, two)[run % 2], run))
        symmetric += not np.any(seen)
        if run + 1 == symmetric == ENOUGH:
            return False
        score = float(direction @ (seen - middle)) if np.any(seen) else 0.0
        guess = int(score < 0) if score else int(coin.integers(2))
        right += guess == run % 2
    return bool(stats.binomtest(right, RUNS, ALLOWED, alternative="greater").pvalue <= FALSE_ALARM)


@pytest.mark.parametrize("k", range(2, 11))
@pytest.mark.parametrize("entry", ENTRIES, ids=str)
def test_the_last_bits_of_a_release_tell_no_two_neighbours_apart(entry: Entry, k: int) -> None:
    for one, two in shown(entry, k):
        if np.ndim(one.shown) > 1:
            assert not is_told_apart(one, two, released), one.label


def with_copies(counts: Counts, directions: np.ndarray, *, cubes: np.ndarray, **weights: np.ndarray) -> np.ndarray:
    """The other half of the mutant: every entry of a symmetric tensor summed up by itself, as it once was."""
    k = directions.shape[1]
    seen = counts @ directions
    pairs = ((seen * cubes[:, None])[:, :, None] * seen[:, None, :]).reshape(-1, k * k)
    rest = triple_sum(counts, directions, cubes=np.zeros_like(cubes), **weights)
    return rest + (pairs.T @ seen).reshape(k, k, k)


def test_the_attack_succeeds_where_copies_reach_the_release(monkeypatch: pytest.MonkeyPatch) -> None:
    """The power of the test above: with those mutants the tensor of ``adaptive`` tells them apart at most k."""
    adaptive = next(entry for entry in ENTRIES if entry.name == "adaptive")
    monkeypatch.setattr(statistics, "triple_sum", with_copies)
    found = [shown(adaptive, k) for k in range(2, 11)]
    pairs = [next(pair for pair in calls if pair[0].label.symbol == "T") for calls in found]
    assert sum(is_told_apart(one, two, added) for one, two in pairs) >= 6
    assert not any(is_told_apart(one, two, released) for one, two in pairs)
