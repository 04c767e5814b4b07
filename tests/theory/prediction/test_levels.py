"""Levels of noise: those of a dry run are those of a fit's own releases, and mean what they say."""

import math
from functools import cache

import numpy as np
import pytest

from dplda import Plan
from dplda.corpus import simulate
from dplda.methods.chain.dry_run import TypicalNorms, dry_run
from dplda.methods.chain.pipeline import Fit, fit
from dplda.methods.configurations.variant import Levels
from dplda.methods.problem import Problem
from dplda.privacy import gaussian
from dplda.spectral.population import Population
from dplda.theory.prediction.geometry import geometry_of, poisson_lengths
from dplda.theory.prediction.noise_levels import levels_of
from dplda.theory.theorems.spectrum import from_fit
from tests.theory.prediction.measured import measured

N, D, K, ALPHA0, EPSILON, DELTA = 20_000, 15, 3, 0.7, 1000.0, 1e-7
SHORT = 4  # words a document on average, so that a quarter of them have fewer than three
PREDICTED = ["adaptive", "shared-moment", "config-1", "config-2"]
every_predicted = pytest.mark.parametrize("name", PREDICTED)


@cache
def corpus():
    return simulate(n_documents=N, n_words=D, n_topics=K, alpha0=ALPHA0, mean_length=SHORT, seed=3)


@cache
def fitted(name: str) -> Fit:
    return fit(corpus(), Plan(name, EPSILON, DELTA), Problem(K, ALPHA0))


def fields(levels: Levels) -> dict[str, float]:
    return {name: float(getattr(levels, name) or 0) for name in Levels.__slots__}


@every_predicted
def test_levels_of_a_dry_run_are_those_of_the_fit_s_own_releases(name: str) -> None:
    """Released numbers being known. What covers the rounding of whitened sums follows the whitening: below 1e-6."""
    found = fitted(name)
    known = {release.symbol: release.value for release in found.releases if not release.shape}
    spectrum = from_fit(fit(corpus(), None, Problem(K, ALPHA0)))
    dry = dry_run(Plan(name, EPSILON, DELTA), found.shape, spectrum, TypicalNorms(np.ones(1), np.ones(1)), known)
    foreseen, own = (fields(levels) for levels in (found.plan.variant.levels(dry.readings()), measured(found)))
    tensor = foreseen.pop("tensor"), own.pop("tensor")
    assert foreseen == pytest.approx(own, rel=1e-12, abs=0)
    assert tensor[0] == pytest.approx(tensor[1], rel=1e-6 if name == "adaptive" else 1e-12, abs=0)


def by_hand(name: str, found: Fit) -> dict[str, float]:
    """Sensitivities of math.md over shares of μ, in the predictor's units; of ``T`` in configuration 2 as released."""
    value = {release.name: release.value for release in found.releases if not release.shape}
    failure = 0.1 if name == "config-2" else 0.0
    whole = gaussian.mu_for(EPSILON, (1 - failure) * DELTA)
    left = 1 / (1 + (2 * D / (N * whole)) ** 2) if name == "adaptive" else 1.0  # by the first words
    mu = {quantity: whole * math.sqrt(left * share) for quantity, share in found.plan.variant.default_split}
    mass, root2 = value.get("mass", 1.0), math.sqrt(2)
    if name == "adaptive":
        c2, c3 = value["pair clip"], value["triple clip"]
        pairs = 2 * c2 / N / mu["pairs"] / mass / 2
        words = root2 * min(1, math.sqrt(root2 * c2)) / N / mu["words"] / mass
        return {"pairs": pairs, "back": pairs, "words": words, "tensor": 2 * c3 / N / mu["triples"] / mass, "clip": c2}
    if name == "config-2":
        back = math.sqrt(2 + 4 * found.shape.coefficients.a**2) / N / mu["e8"] / root2
        (tensor,) = (release.scale for release in found.releases if release.name == "e6")
        return {"pairs": 0.0, "back": back, "words": 0.0, "tensor": tensor}
    one = {quantity: root2 / N / share / mass for quantity, share in mu.items()}
    back = one["pairs" if name == "shared-moment" else "pairs for W†"] / 2
    return {"pairs": one["pairs"] / 2, "back": back, "words": one["words"], "triples": one["triples"]}


@every_predicted
def test_levels_are_those_by_hand(name: str) -> None:
    """Sensitivities are rounded against us, by less than 1e-6 at this size."""
    own = fields(measured(fitted(name)))
    by = by_hand(name, fitted(name))
    assert {quantity: own[quantity] for quantity in by} == pytest.approx(by, rel=1e-6, abs=0)


@pytest.mark.parametrize("name", [name for name in PREDICTED if name != "config-2"])
def test_documents_too_short_to_count_make_noise_larger(name: str) -> None:
    """What typical documents weigh is what real ones do: a quarter of them nothing."""
    truth = Population(corpus().truth.topics, corpus().truth.alpha)
    foreseen = levels_of(Plan(name, EPSILON, DELTA), geometry_of(truth, poisson_lengths(SHORT)), n_documents=N)
    mass = next(release.value for release in fitted(name).releases if release.name == "mass")
    assert mass < 0.8
    own = measured(fitted(name))
    assert (foreseen.pairs, foreseen.words) == pytest.approx((own.pairs, own.words), rel=0.05)
