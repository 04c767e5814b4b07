"""A symmetric array that is released holds each number once: its copies agree to the last bit.

Sums in another order give copies of an entry other last bits. If exactly symmetric noise were added to the array as it
is, differences between copies would be noise-free functions of the documents, by which two neighbours are told apart.
"""

from functools import cache
from itertools import permutations

import numpy as np
import pytest

from dplda import Corpus
from dplda.core.types import Counts
from dplda.spectral import statistics
from dplda.spectral.moments import triple_sums
from tests.methods.configurations.replay import Call, recorded
from tests.methods.configurations.variants import ENTRIES, Entry
from tests.tiny_corpora import topical_corpus


@cache
def corpus(k: int) -> Corpus:
    return topical_corpus(k, n_documents=20_000, n_words=24, n_topics=k, alpha0=0.5)


def calls(entry: Entry, k: int) -> list[Call]:
    """What a fit shows its mechanisms, and what they answer."""
    return recorded(corpus(k), entry.plan(1e6), n_topics=k, alpha0=0.5, quick=True)[1].calls


def copies_agree(value: np.ndarray) -> bool:
    return all(
        np.array_equal(value, value.transpose(order)) for order in permutations(range(value.ndim))
    )


@pytest.mark.parametrize("k", range(2, 11))
@pytest.mark.parametrize("entry", ENTRIES, ids=str)
def test_copies_of_a_released_number_are_the_same_to_the_last_bit(entry: Entry, k: int) -> None:
    symmetric = [call for call in calls(entry, k) if np.ndim(call.shown) > 1]
    assert all(copies_agree(call.answer) for call in symmetric)
    assert symmetric or entry.name == "config-4"


def with_copies(
    counts: Counts, directions: np.ndarray, *, cubes: np.ndarray, **weights: np.ndarray
) -> tuple:
    """A mutant: every entry of a symmetric tensor summed up by itself, as it once was."""
    k = directions.shape[1]
    coordinates = counts @ directions
    pairs = ((coordinates * cubes[:, None])[:, :, None] * coordinates[:, None, :]).reshape(
        -1, k * k
    )
    rest_of_sums, outer = triple_sums(counts, directions, cubes=np.zeros_like(cubes), **weights)
    return rest_of_sums + (pairs.T @ coordinates).reshape(k, k, k), outer


def test_copies_that_differ_do_not_reach_the_release(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "triple_sums", with_copies)
    tensor = next(call for call in calls(ENTRIES[0], 7) if call.label.symbol == "T")
    assert not copies_agree(tensor.shown), "the check above would have seen it"
    assert copies_agree(tensor.answer)
