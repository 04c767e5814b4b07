"""The noise table before a run says what a run then releases, whichever way it goes."""

from collections import Counter
from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest

from dplda.methods.base.problem import Budget, Problem
from dplda.methods.refined.algorithm import fit_refined
from dplda.methods.refined.plan.constants import RefinedConstants
from dplda.methods.refined.plan.noise_forecast import (
    ALWAYS,
    BOUGHT,
    FREE,
    KEPT,
    ForecastRelease,
    forecast_releases,
)
from dplda.methods.refined.prior.topic_prior import TopicPrior
from tests.tiny_corpora import topical_corpus

CORPUS = topical_corpus(1, n_documents=1500, n_words=12)
PUBLIC = (Problem(3, 1.0), Budget(8.0, 1e-6), 1500, 12)
RECIPE = RefinedConstants(n_steps=3)


def foretold(recipe: RefinedConstants) -> tuple[ForecastRelease, ...]:
    return forecast_releases(*PUBLIC, constants=recipe)


@pytest.mark.parametrize(("border", "way"), [(1e-9, FREE), (1e9, BOUGHT), (0.0, ALWAYS)])
def test_forecast_of_a_path_holds_for_its_run(border: float, way: str) -> None:
    recipe = replace(RECIPE, max_start_noise=border)
    fitted_run = fit_refined(CORPUS, *PUBLIC[:2], constants=recipe)
    rows = [row for row in foretold(recipe) if row.when in (ALWAYS, way)]
    released = [
        list(part)
        for _, part in groupby(
            fitted_run.releases, lambda release: (release.name, release.shape, release.sensitivity)
        )
    ]
    total = sum(release.mu**2 for release in fitted_run.releases)
    assert Counter(row.edge for row in rows) == Counter(
        {release.edge for release in fitted_run.releases}
    )
    for row in rows:
        parts = [part for part in released if part[0].edge == row.edge]
        share = sum(release.mu**2 for part in parts for release in part) / total
        assert row.share[0] * (1 - 1e-9) <= share <= row.share[1] * (1 + 1e-9)
        if row.shape:
            (part,) = parts
            assert (len(part), part[0].shape) == (row.times, row.shape)
            assert part[0].sensitivity == row.sensitivity
            assert part[0].mechanism == row.law
            for release, (low, high) in zip(part, row.scales, strict=True):
                assert low * (1 - 1e-12) <= release.scale <= high * (1 + 1e-12)


def test_forecast_beside_a_prior_holds_where_steps_cannot_pay() -> None:
    recipe, known_topics = (
        replace(RECIPE, prior_only_noise=0.0),
        fit_refined(CORPUS, *PUBLIC[:2]).topics,
    )
    table = TopicPrior(
        "known",
        "nobody",
        CORPUS.vocabulary,
        np.clip(known_topics.words / known_topics.mean_words, 0.01, 100),
    )
    fitted_run = fit_refined(CORPUS, *PUBLIC[:2], constants=recipe, prior=table)
    (row,) = (
        row
        for row in forecast_releases(*PUBLIC, constants=recipe, tests_prior=True)
        if row.when == KEPT
    )
    *_, repeated_release, _ = fitted_run.releases
    assert (repeated_release.edge, repeated_release.shape, repeated_release.sensitivity) == (
        row.edge,
        row.shape,
        row.sensitivity,
    )
    assert (
        repeated_release.scale
        == pytest.approx(row.scales[0][0], rel=1e-9)
        == pytest.approx(row.scales[0][1], rel=1e-9)
    )
    first_edge, only, last_edge = (
        forecast.edge
        for forecast in forecast_releases(*PUBLIC, constants=recipe, prior_is_trusted=True)
    )
    trusted_releases = fit_refined(
        CORPUS, *PUBLIC[:2], constants=recipe, prior=table, prior_is_trusted=True
    ).releases
    assert [first_edge, only, last_edge] == [forecast.edge for forecast in trusted_releases]
    steps_pay = forecast_releases(PUBLIC[0], PUBLIC[1], 100_000, 12, tests_prior=True)
    assert not [forecast for forecast in steps_pay if forecast.when == KEPT]


@pytest.mark.parametrize("way", [FREE, BOUGHT])
def test_forecast_shares_of_a_path_add_up_to_the_whole(way: str) -> None:
    rows = [row for row in foretold(RECIPE) if row.when in (ALWAYS, way)]
    assert sum(row.share[row.edge != "steps"] for row in rows) == pytest.approx(1, abs=1e-12)
    assert sum(row.share[row.edge == "steps"] for row in rows) == pytest.approx(1, abs=1e-12)
