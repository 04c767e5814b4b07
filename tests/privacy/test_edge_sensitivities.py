"""What one document can do to every statistic that the proven configurations noise: the stated bound, and no more.

Short documents are among the neighbours: they contribute nothing and stay in N.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplda.corpus import Corpus, Label
from dplda.privacy import sensitivity
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.documents import measure_lengths
from dplda.spectral.statistics import ExactMoments, average_frequencies, triple_average
from tests.statistical.laws import histogram_cells, triple_cells
from tests.tiny_corpora import (
    Rows,
    corpora,
    counts_of,
    crafted_neighbours,
    documents,
    repeated_word,
)

N, D = 6, 6
NEIGHBOURS = crafted_neighbours(N, D)
ALPHA0 = (0.1, 1.0, 10.0, 1000.0)


def changes(first_rows: Rows, second_rows: Rows, alpha0: float) -> dict[str, float]:
    """How far apart two neighbours are in every statistic, over its sensitivity."""
    c, (n, d) = Coefficients(alpha0), first_rows.shape
    A, B = (statistics(rows, c) for rows in (first_rows, second_rows))
    l1 = sensitivity.histogram_l1(n_documents=n)
    peak = sensitivity.largest_frequency(n_documents=n)
    operator = sensitivity.pair_moment_eigenvalue(n_documents=n, n_words=d, a=c.a)
    differences = {name: A[name] - B[name] for name in A}
    values = [np.linalg.eigvalsh(x["M2"]) for x in (A, B)]
    return {
        "triple histogram": np.linalg.norm(differences["triples"])
        / sensitivity.triple_histogram(n_documents=n, n_words=d),
        "words L1": np.sum(np.abs(differences["words"])) / l1,
        "pairs L1": np.sum(np.abs(differences["pairs"])) / l1,
        "triples L1": np.sum(np.abs(differences["triples"]))
        / sensitivity.triple_histogram_l1(n_documents=n, n_words=d, spread=1.0),
        "mass": abs(differences["mass"]) / sensitivity.mass(n_documents=n),
        "M2": np.linalg.norm(differences["M2"])
        / sensitivity.direct_pair_moment(n_documents=n, a=c.a),
        "M2 operator": np.linalg.norm(differences["M2"], 2) / operator,
        "eigenvalues": np.max(np.abs(values[0] - values[1])) / operator,
        "gaps": np.max(np.abs(np.diff(values[0] - values[1]))) / (2 * operator),
        "M3": np.linalg.norm(differences["M3"])
        / sensitivity.direct_triple_moment(n_documents=n, n_words=d, b=c.b, c=c.c),
        "largest word": abs(np.max(A["words"]) - np.max(B["words"])) / peak,
        "largest pair": abs(np.max(A["E2"]) - np.max(B["E2"])) / peak,
    }


def statistics(rows: Rows, c: Coefficients) -> dict[str, np.ndarray]:
    counts, d = counts_of(rows), rows.shape[1]
    ones, length = np.ones(len(rows)), measure_lengths(counts)
    plain = average_frequencies(counts, length, ones)
    moments = ExactMoments(counts, c, keep_short=True)
    return {
        "words": plain.words,
        "E2": plain.pairs,
        "pairs": histogram_cells(plain.pairs),
        "triples": triple_cells(triple_average(counts, length, ones, np.eye(d))),
        "mass": np.array(plain.mass),
        "M2": moments.pair_moment() @ np.eye(d),
        "M3": moments.third_moment(np.eye(d)),
    }


@pytest.mark.parametrize("alpha0", ALPHA0)
def test_crafted_neighbours_never_pass_a_sensitivity(alpha0: float) -> None:
    for name, (first_rows, second_rows) in NEIGHBOURS.items():
        for statistic, ratio in changes(first_rows, second_rows, alpha0).items():
            assert ratio <= 1, (name, statistic)


@settings(max_examples=100)
@given(
    corpora(N, D),
    documents(D),
    documents(D, largest_count=50),
    st.floats(-3, 4).map(lambda e: 10**e),
)
def test_random_neighbours_never_pass_a_sensitivity(
    rows: Rows, document: Rows, other_document: Rows, alpha0: float
) -> None:
    A, B = rows.copy(), rows.copy()
    A[0], B[0] = document, other_document
    for statistic, ratio in changes(A, B, alpha0).items():
        assert ratio <= 1, statistic


SHORT = st.sampled_from(
    [(), (0,), (1,), (0, 0), (0, 1), (0, 0, 0), (0, 0, 1), (0, 1, 2), (1, 1, 1), (3, 3, 3)]
)


@settings(max_examples=100)
@given(st.lists(SHORT, min_size=3, max_size=6), SHORT, st.sampled_from([*ALPHA0, 1e-3, 1e5]))
def test_neighbours_of_short_documents_never_pass_a_sensitivity(
    words: list[tuple[int, ...]], other_document: tuple[int, ...], a0: float
) -> None:
    """Documents of up to three words, at which convex functions are largest, and documents of none."""
    first_rows = np.array(
        [np.bincount(np.array(document, dtype=int), minlength=4) for document in words]
    )
    second_rows = first_rows.copy()
    second_rows[0] = np.bincount(np.array(other_document, dtype=int), minlength=4)
    for statistic, ratio in changes(first_rows, second_rows, a0).items():
        assert ratio <= 1, statistic


@pytest.mark.parametrize(
    ("statistic", "neighbours", "alpha0"),
    [
        ("triple histogram", "uuu to vvv, others www", 1.0),
        ("triple histogram", "long to short", 1.0),
        ("words L1", "uuu to vvv, others all different", 1.0),
        ("pairs L1", "uuu to vvv, others www", 1.0),
        ("triples L1", "uuu to vvv, others www", 1.0),
        ("mass", "uuu to uu", 1.0),
        *[("M2", "uuu to vvv, others www", alpha0) for alpha0 in ALPHA0],
        ("largest word", "uuu to nothing alone", 1.0),
        ("largest pair", "uuu to nothing alone", 1.0),
    ],
)
def test_worst_cases_attain_what_is_stated(statistic: str, neighbours: str, alpha0: float) -> None:
    neighbors_by_name = NEIGHBOURS | {"uuu to nothing alone": (only_uuu(3), only_uuu(2))}
    assert 1 - 1e-9 < changes(*neighbors_by_name[neighbours], alpha0)[statistic] <= 1


def only_uuu(times: int) -> Rows:
    """Documents "u u u", the rest empty."""
    return np.array(
        [repeated_word(0, D) if n < times else np.zeros(D, dtype=int) for n in range(N)]
    )


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_documents_of_a_person_are_read_as_the_one_they_add_up_to(name: str) -> None:
    """Written as up to four documents, in any order: so what one document cannot do, nobody's documents can."""
    rng = np.random.default_rng(0)
    for rows in NEIGHBOURS[name]:
        parts = rng.multinomial(rows, [0.25] * 4).transpose(0, 2, 1).reshape(-1, D)
        order = rng.permutation(len(parts))
        rows_of_person = np.vstack([np.zeros_like(rows), parts[order]])
        persons = np.concatenate([np.arange(len(rows)), order // 4])
        corpus = Corpus.from_counts(
            rows_of_person,
            label=Label.SENSITIVE,
            name="x",
            vocabulary_source="fixed",
            persons=persons,
        )
        np.testing.assert_array_equal(corpus.by_person().counts.toarray(), rows)


@pytest.mark.parametrize("alpha0", ALPHA0)
def test_unfolding_of_crafted_corpora_is_at_most_its_bound(
    alpha0: float,
) -> None:
    for first_rows, second_rows in NEIGHBOURS.values():
        for rows in (first_rows, second_rows):
            assert unfolding(rows, alpha0) <= unfolding_bound(rows, alpha0)
    www = np.tile(repeated_word(2, D), (N, 1))
    assert unfolding(www, 1e-9) == pytest.approx(unfolding_bound(www, 1e-9), rel=1e-6)


def unfolding(rows: Rows, alpha0: float) -> float:
    """Operator norm of the d×d² unfolding of M3."""
    d = rows.shape[1]
    M3 = ExactMoments(counts_of(rows), Coefficients(alpha0), keep_short=True).third_moment(
        np.eye(d)
    )
    return float(np.linalg.norm(M3.reshape(d, d * d), 2))


def unfolding_bound(rows: Rows, alpha0: float) -> float:
    c, counts = Coefficients(alpha0), counts_of(rows)
    plain = average_frequencies(counts, measure_lengths(counts), np.ones(len(rows)))
    return sensitivity.unfolding_bound(
        n_documents=len(rows),
        b=c.b,
        c=c.c,
        largest_word=float(np.max(plain.words)),
        largest_pair=float(np.max(plain.pairs)),
    )
