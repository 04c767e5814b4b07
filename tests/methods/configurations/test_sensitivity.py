"""What one document can do to each value that ``adaptive`` makes noisy: the stated sensitivity, and no more.

The values are those that the route hands to its mechanisms, with their answers held fixed: the neighbours are
compared as the proofs compare them, given everything released before.
"""

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplda import Plan
from dplda.attacks.audit.neighbours import opposite_directions
from dplda.privacy import sensitivity
from dplda.spectral.statistics import Averages
from tests.methods.configurations.replay import replayed
from tests.statistical.laws import histogram_cells
from tests.tiny_corpora import corpora, corpus_of, crafted_neighbours, documents

N, D = 6, 6
NEIGHBOURS = crafted_neighbours(N, D)
PAIR_LEVELS = [1e-3, 0.05, 0.3, 0.6, np.sqrt(0.5)]
TRIPLE_LEVELS = [0.01, 0.3, 10.0, 1e6]


@dataclass
class Seen:
    """Everything the mechanisms were shown; nothing of the triples where no topic was resolved."""

    pair_norms: np.ndarray
    averages: Averages
    triple_norms: np.ndarray = field(default_factory=lambda: np.empty(0))
    ceiling: float = 0.0
    tensor: np.ndarray = field(default_factory=lambda: np.empty(0))


def seen(rows: np.ndarray, pair_level: float, triple_level: float, averages: Averages) -> Seen:
    answers = {
        "clip level of pair frequencies": pair_level,
        "pair average": averages.pairs,
        "word average": averages.words,
        "mean weight of a document": averages.mass,
        "clip level of whitened triples": triple_level,
        "whitened triple average": np.ones((2, 2, 2)),
    }
    _, watched = replayed(corpus_of(rows), Plan("adaptive", 1.0), answers, n_topics=2, quick=True)
    found = Seen(
        watched.shown("clip level of pair frequencies"),
        Averages(
            watched.shown("word average"), watched.shown("pair average"), watched.shown("mean weight of a document")
        ),
    )
    for call in watched.calls:
        if call.label.words == "clip level of whitened triples":
            found.triple_norms, found.ceiling = call.shown, call.named["high"]
            assert np.all(found.triple_norms <= found.ceiling * (1 + 2e-15))
        if call.label.words == "whitened triple average":
            found.tensor = call.shown
    return found


def changes(
    one: np.ndarray, two: np.ndarray, pair_level: float, triple_level: float, averages: Averages
) -> dict[str, float]:
    """How far apart two corpora are in each released value, over its sensitivity."""
    A, B = (seen(rows, pair_level, triple_level, averages) for rows in (one, two))
    n = len(one)
    words = np.linalg.norm(A.averages.words - B.averages.words)
    pairs = np.linalg.norm(histogram_cells(A.averages.pairs - B.averages.pairs))
    triples = np.linalg.norm(A.tensor - B.tensor)
    tensor = 1.0
    if A.ceiling:
        level = min(triple_level, A.ceiling)
        tensor = sensitivity.tensor_average(n_documents=n, n_words=D, clip=level, ceiling=A.ceiling)
    return {
        "counts of pair norms": most_counts(A.pair_norms, B.pair_norms) / sensitivity.count(),
        "counts of triple norms": most_counts(A.triple_norms, B.triple_norms) / sensitivity.count(),
        "mass": abs(A.averages.mass - B.averages.mass) / sensitivity.mass(n_documents=n),
        "words": words / sensitivity.word_average(n_documents=n, clip=pair_level),
        "pairs": pairs / sensitivity.pair_average(n_documents=n, clip=pair_level),
        "triples": triples / tensor,
    }


def most_counts(one: np.ndarray, two: np.ndarray) -> float:
    """The most that the number of norms above any level differs by."""
    levels = np.concatenate([[0.0], one, two])
    return max(abs(np.count_nonzero(one > level) - np.count_nonzero(two > level)) for level in levels)


@pytest.mark.parametrize("pair_level", PAIR_LEVELS)
@pytest.mark.parametrize("triple_level", TRIPLE_LEVELS)
def test_crafted_neighbours_never_pass_a_sensitivity(pair_level: float, triple_level: float) -> None:
    for name, (one, two) in NEIGHBOURS.items():
        for released, ratio in changes(one, two, pair_level, triple_level, opposite_directions(D)).items():
            assert ratio <= 1, (name, released)


@pytest.mark.parametrize(
    ("released", "neighbours", "pair_level", "triple_level"),
    [
        ("counts of pair norms", "uuu to nothing", 0.1, 1.0),
        ("counts of triple norms", "uuu to nothing", 0.1, 1.0),
        ("mass", "uuu to nothing", np.sqrt(0.5), 1.0),
        ("words", "uuu to vvv, others www", np.sqrt(0.5), 1.0),
        ("pairs", "uuu to vvv, others www", np.sqrt(0.5), 1.0),
        ("pairs", "uuu to vvv, others all different", 0.05, 1.0),
        ("pairs", "long to short", 0.3, 1.0),
        ("triples", "uuu to vvv, others www", np.sqrt(0.5), 0.3),
        ("triples", "uuu to vvv, others all different", np.sqrt(0.5), 1e6),
        ("triples", "long to short", 0.3, 0.3),
    ],
)
def test_every_sensitivity_is_attained(released: str, neighbours: str, pair_level: float, triple_level: float) -> None:
    one, two = NEIGHBOURS[neighbours]
    assert 0.999 < changes(one, two, pair_level, triple_level, opposite_directions(D))[released] <= 1


@settings(max_examples=100)
@given(
    corpora(N, D),
    documents(D),
    documents(D, largest_count=50),
    st.sampled_from(PAIR_LEVELS),
    st.sampled_from(TRIPLE_LEVELS),
    st.integers(0, 10**6),
)
def test_no_neighbour_passes_a_sensitivity(
    rows: np.ndarray, one: np.ndarray, two: np.ndarray, pair_level: float, triple_level: float, seed: int
) -> None:
    """Any documents, any levels, any earlier releases."""
    rng = np.random.default_rng(seed)
    pairs = rng.standard_normal((D, D))
    averages = Averages(rng.standard_normal(D), pairs + pairs.T + 8 * np.eye(D), 0.7)
    A, B = rows.copy(), rows.copy()
    A[0], B[0] = one, two
    for released, ratio in changes(A, B, pair_level, triple_level, averages).items():
        assert ratio <= 1, released
