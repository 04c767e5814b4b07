"""Statistics in whole numbers: those of the floating-point chain, to the step; order-free; as far apart as allowed."""

import math

import numpy as np
import pytest

from dplda.core import engine
from dplda.core.errors import NotReleasable
from dplda.methods.base.problem import Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain import whole_number_statistics
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.methods.configurations.chain.whole_number_statistics import WholeNumberStatistics
from dplda.methods.configurations.plan import Plan
from dplda.privacy.noise.exact import ExactNoise
from dplda.privacy.noise.fixed_point import FixedPointSum, grid_resolution
from dplda.privacy.noise.layouts import PairHistogram, SymmetricTensor
from dplda.spectral.corpus_statistics import StatisticsCache, clip_factors
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.documents import LARGEST_PAIR_NORM, triple_norm_bounds
from dplda.spectral.statistics import average_frequencies, triple_average
from tests.tiny_corpora import counts_of, random_rows, topical_corpus

N, D, K = 300, 20, 3
ROWS = random_rows(0, N, D, 40)
DIRECTIONS = np.random.default_rng(1).standard_normal((D, K))
CLIP = 0.08
FINE = grid_resolution(N)
PECULIAR = np.array(
    [
        [3] + [0] * 19,
        [0, 3] + [0] * 18,
        [0] * 20,
        [1] * 20,
        [10**6] * 20,
        [2 * 10**9] + [1] * 19,
        [1, 1, 1] + [0] * 17,
    ]
)


def statistics(rows) -> WholeNumberStatistics:
    return WholeNumberStatistics(
        StatisticsCache(counts_of(rows)), Coefficients(1.0), keep_short=True
    )


def whole(rows, clip=CLIP):
    return statistics(rows).averages(clip)


def tensor(rows, limit=50.0, directions=DIRECTIONS):
    return statistics(rows).triple_average(LARGEST_PAIR_NORM, directions, limit)


def arrays(whole_sums) -> tuple[FixedPointSum, FixedPointSum, FixedPointSum]:
    return whole_sums.words, whole_sums.pairs, whole_sums.mass


@pytest.mark.parametrize("clip", [CLIP, LARGEST_PAIR_NORM])
def test_whole_number_averages_equal_the_floating_point_ones_to_a_step(clip: float) -> None:
    sums = StatisticsCache(counts_of(ROWS))
    by_float = average_frequencies(sums.counts, sums.length, sums.weights(clip))
    words, pairs, mass = arrays(whole(ROWS, clip))
    assert (words.shape, pairs.shape, mass.shape) == ((D,), (D, D), ())
    np.testing.assert_allclose(words.numbers * words.unit, by_float.words, rtol=1e-8)
    exact = PairHistogram(D).coordinates(by_float.pairs)
    np.testing.assert_allclose(
        pairs.numbers * pairs.unit, exact, rtol=1e-4, atol=1e-6
    )  # roots are cut to 2⁻¹⁸
    assert mass.numbers[0] * mass.unit == pytest.approx(by_float.mass, rel=1e-8)


def test_triples_are_the_floating_point_ones_to_a_step_a_document() -> None:
    sums = StatisticsCache(counts_of(ROWS))
    weights = clip_factors(triple_norm_bounds(sums.counts, sums.length, DIRECTIONS), 50.0)
    by_float = triple_average(sums.counts, sums.length, weights, DIRECTIONS)
    moved_tensor = tensor(ROWS)
    assert moved_tensor.shape == (K, K, K)
    exact = SymmetricTensor(K).coordinates(by_float)
    np.testing.assert_allclose(
        moved_tensor.numbers * moved_tensor.unit, exact, rtol=1e-7, atol=1e-7
    )


def test_whole_number_statistics_in_any_order_have_the_same_bits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    many_rows = np.tile(ROWS, (30, 1))
    sums_in_order = [*arrays(whole(many_rows)), tensor(many_rows)]
    permuted_rows = many_rows[np.random.default_rng(2).permutation(len(many_rows))]
    monkeypatch.setattr(engine, "workers", lambda: 1)
    monkeypatch.setattr(
        "dplda.spectral.moments.MIN_DENSE_SHARE", 1.0
    )  # the other way to a product of matrices
    monkeypatch.setattr("dplda.methods.configurations.chain.whole_number_statistics.CELLS", 997)
    for a, b in zip(
        sums_in_order, [*arrays(whole(permuted_rows)), tensor(permuted_rows)], strict=True
    ):
        assert np.array_equal(a.numbers, b.numbers)


@pytest.mark.parametrize("clip", [CLIP, LARGEST_PAIR_NORM, 1e-3])
def test_whole_number_averages_of_neighbors_attain_their_distance(clip: float) -> None:
    """In exact integers, over pairs of peculiar documents; and some come within a millionth of that: √2 and no less."""
    furthest = [0.0, 0.0, 0.0]
    common_rows = ROWS[: N - 1]
    neighbor_sums = [arrays(whole(np.vstack([common_rows, row]), clip)) for row in PECULIAR]
    for first_sums in neighbor_sums:
        for second_sums in neighbor_sums:
            for place, (a, b) in enumerate(zip(first_sums, second_sums, strict=True)):
                squared_distance = sum(int(x) ** 2 for x in a.numbers - b.numbers)
                assert squared_distance <= (1 if place == 2 else 2) * int(FINE) ** 2
                assert math.sqrt(squared_distance) <= a.neighbor_distance
                furthest[place] = max(furthest[place], math.sqrt(squared_distance) / FINE)
    assert furthest[1] == pytest.approx(math.sqrt(2), rel=1e-5)
    if clip == LARGEST_PAIR_NORM:
        assert furthest[0] == pytest.approx(math.sqrt(2), rel=1e-5)
        assert furthest[2] == pytest.approx(1.0, rel=1e-5)


def test_whole_number_tensors_of_neighbors_attain_twice_the_limit() -> None:
    directions = DIRECTIONS.copy()
    directions[1] = -directions[0]
    limit = 0.5 * float(np.linalg.norm(directions[0])) ** 3
    a, b = (tensor(np.vstack([ROWS[: N - 1], row]), limit, directions) for row in PECULIAR[:2])
    squared_distance = sum(int(x) ** 2 for x in a.numbers - b.numbers)
    assert squared_distance <= (2 * int(FINE)) ** 2
    assert a.neighbor_distance == 2 * FINE
    assert math.sqrt(squared_distance) / FINE == pytest.approx(2.0, rel=1e-6)


def test_triple_average_of_a_passed_document_is_cut_by_its_norm(monkeypatch) -> None:
    """A mutant of the bound: everything passes; the whole numbers are no longer than they may be."""
    for row in range(3):
        mutant = statistics(np.where(np.arange(3)[:, None] == row, ROWS[:3], 0))
        monkeypatch.setattr(mutant, "triple_norms", lambda *_: np.zeros(3))
        triple_average = mutant.triple_average(LARGEST_PAIR_NORM, 100 * DIRECTIONS, 1.0)
        assert sum(int(x) ** 2 for x in triple_average.numbers) <= int(grid_resolution(3)) ** 2


def test_adaptive_with_exact_noise_is_releasable() -> None:
    corpus = topical_corpus(0)
    noise = ExactNoise(epsilon=10.0, delta=1e-6)
    fitted_run = fit_spectral(
        corpus, Plan("adaptive", 10.0, 0.99e-6), Problem(3, 1.0), Runtime(noise=noise)
    )
    assert fitted_run.guarantee.releasable
    assert not fitted_run.guarantee.caveats
    assert "simulated" not in " ".join(fitted_run.guarantee.rests_on).replace(
        "chosen on simulated", ""
    )


def test_configuration_without_exact_noise_is_refused_it() -> None:
    corpus = topical_corpus(0)
    noise = ExactNoise(epsilon=10.0, delta=1e-6)
    for configuration in ("config-1", "config-2", "shared-moment"):
        with pytest.raises(NotReleasable, match=r"^Not releasable: "):
            fit_spectral(
                corpus, Plan(configuration, 10.0, 0.99e-6), Problem(3, 1.0), Runtime(noise=noise)
            )


def test_whole_number_statistics_use_only_truncated_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a part that is rounded, not cut, on the way would be noticed; ``cut`` itself is tested with noise."""

    def sums() -> list[FixedPointSum]:
        whole_statistics = statistics(ROWS)
        return [
            *arrays(whole_statistics.averages(CLIP)),
            tensor(ROWS),
            whole_statistics.word_counts(2.0),
        ]

    assert all(np.any(whole_sum.numbers) for whole_sum in sums())
    monkeypatch.setattr(
        whole_number_statistics, "truncate_to_grid", lambda parts, step: np.zeros_like(parts)
    )
    assert not any(np.any(whole_sum.numbers) for whole_sum in sums())
