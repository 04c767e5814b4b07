"""Noise on each released quantity reaches the output, whatever the configuration and the way through the code."""

from functools import cache

import numpy as np
import pytest

from dplda.privacy.accounting import gaussian
from tests.methods.configurations.replay import Watched
from tests.methods.configurations.variants import (
    ENTRIES,
    EPSILON,
    PATHS,
    Entry,
    every_variant,
    output,
    run,
)
from tests.privacy.sources import TamperedNoise

SEED = 2
LOUDER = 30.0


@cache
def untouched(entry: Entry) -> Watched:
    return run(entry, "dense", TamperedNoise(SEED))[1]


def draws(entry: Entry) -> tuple[tuple[int, ...], ...]:
    """Which draws of the source each release takes; before a release nothing depends on its own draws."""
    return tuple(call.draws for call in untouched(entry).calls)


@cache
def honest(entry: Entry, path: str) -> np.ndarray:
    noiseless_output = output(entry, path, TamperedNoise(SEED))
    assert noiseless_output is not None
    return noiseless_output


RELEASES = [(entry, number) for entry in ENTRIES for number in range(entry.releases)]
every_release = pytest.mark.parametrize(("entry", "release"), RELEASES, ids=lambda x: str(x))


@every_variant
def test_releases_of_a_variant_partition_its_draws(entry: Entry) -> None:
    source = TamperedNoise(SEED)
    run(entry, "dense", source)
    used_draws = [draw for release in draws(entry) for draw in release]
    assert len(draws(entry)) == entry.releases
    assert all(draws(entry))
    assert used_draws == list(range(len(source.sizes)))


@every_release
def test_larger_noise_on_one_quantity_moves_the_output(entry: Entry, release: int) -> None:
    """A bound that other noise is scaled with moves the output by a share of that noise, first words by their own."""
    spent_mu = untouched(entry).releases[release].mu
    is_first_of_adaptive = (entry.name, release) == ("adaptive", 0)
    factor = LOUDER * (gaussian.mu_for(EPSILON, 1e-7) / spent_mu if is_first_of_adaptive else 1.0)
    for path in PATHS:
        moved_output = output(
            entry, path, TamperedNoise(SEED, dict.fromkeys(draws(entry)[release], factor))
        )
        assert (
            moved_output is None
            or np.max(np.abs(moved_output - honest(entry, path))) > 1e-3 / entry.plan().epsilon
        ), path


@pytest.mark.parametrize("path", [path for path in PATHS if path != "dense"])
@every_variant
def test_configuration_on_every_code_path_gives_the_same_output(entry: Entry, path: str) -> None:
    """To what sums in another order and Lanczos leave (configuration 3's scale follows a gap of eigenvalues)."""
    np.testing.assert_allclose(honest(entry, path), honest(entry, "dense"), atol=1e-5)
