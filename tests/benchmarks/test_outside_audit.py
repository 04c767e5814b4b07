"""A small part of the outside audit, and the page that a whole one wrote."""

import json
import re
from dataclasses import replace

import pytest

from benchmarks.outside_audit import cases, outside, page
from benchmarks.outside_audit.command import NOTHING, cost_row, play_case, release_rows
from benchmarks.outside_audit.controls import controls
from benchmarks.outside_audit.neighbors import pairs
from benchmarks.outside_audit.primitives import draw_primitives
from benchmarks.outside_audit.record_play import Declared, Outcome
from dplda.methods.registry import METHODS
from tests.house.source import ROOT
from tests.statistical.laws import FALSE_ALARM, UNSEEDED

PAIRS = tuple(pairs())
QUICK = ("private-unigram", "adaptive/corrected", "", "config-1/Laplace")
SMALL_CASES = [
    case
    for case in cases.every_case()
    if case.method in QUICK and case.name != "released file" and case.budget != cases.AMPLE
]


@pytest.mark.parametrize("case", SMALL_CASES, ids=lambda case: f"{case.method} {case.title}")
def test_release_that_is_played_on_a_neighbor_keeps_what_it_declares(case) -> None:
    played = play_case(case, PAIRS[:1])
    rows = list(release_rows(case, played))
    assert all(row["holds"] for row in rows), rows
    assert all(map(outside.opendp_agrees, played[0].declared))


def test_releases_cost_what_dp_accounting_says() -> None:
    """Of a continued release; the record has the others."""
    case = next(case for case in SMALL_CASES if case.name == "continued")
    (played,) = play_case(case, PAIRS[:1])
    cost = cost_row(case, played.declared)
    assert cost["opendp_agrees"]
    assert cost["dp_accounting_delta"] >= cost["delta"] * 0.998
    assert cost["dp_accounting_delta"] <= cost["delta"] * 1.002


@pytest.mark.parametrize(
    "control", list(controls()), ids=lambda control: f"{control.case.method} {control.fault}"
)
def test_run_that_is_broken_on_purpose_is_found(control) -> None:
    pair_numbers = PAIRS[:4] if "asks again" in control.fault else PAIRS[:1]
    assert not all(played_pair.holds for played_pair in play_case(control.case, pair_numbers))


def test_case_that_releases_nothing_does_not_hold() -> None:
    silent = replace(SMALL_CASES[0], run=lambda corpus, noise: Outcome(b"the same refusal", ()))
    (row,) = release_rows(silent, play_case(silent, PAIRS[:1]))
    assert (row["release"], row["holds"]) == (NOTHING, False)


@pytest.mark.parametrize("law", ["Gaussian", "Laplace"])
def test_opendp_refuses_a_charge_that_is_too_small(law) -> None:
    release = Declared(stream="x", law=law, sensitivity=2.0, scale=5.0)
    assert outside.opendp_agrees(release)
    budget = 0.4 if law == "Laplace" else 0.4**2 / 2
    assert outside.opendp_cost(release) == pytest.approx(budget)
    measurement = outside.opendp_measurement(release)
    distance = 2.0 if law == "Laplace" else outside.STEPS_PER_SENSITIVITY
    assert not measurement.check(distance, 0.999 * budget)


@pytest.mark.fresh_noise
def test_sources_of_noise_follow_their_laws() -> None:
    """Those of a release have no seed. Fails by chance once in 100,000,000: two laws at 1e-9 each."""
    for primitive in draw_primitives(4_000):
        is_seeded = primitive.name.startswith("simulated")
        assert primitive.p_value > (FALSE_ALARM if is_seeded else UNSEEDED), primitive.name
        assert not is_seeded or 0.5 < primitive.least_loss(1.0) <= 1, primitive.name


def test_record_covers_every_proven_method() -> None:
    released = {case.method for case in cases.every_case()} - {""}
    proven = {key for key, method in METHODS.items() if method.status == "proven"}
    assert released == proven


def test_record_page_is_what_the_rows_say() -> None:
    rows = []
    for section in page.SECTIONS:
        results = (ROOT / "benchmarks" / "results" / f"audit-{section}.json").read_text("utf-8")
        rows += [{"section": section, **row} for row in json.loads(results)["rows"]]
    text = page.PAGE.read_text("utf-8")
    made_with = re.search(r"wrote this page \(([^)]+)\)", text)
    assert made_with
    assert text == page.make_page(rows, made_with[1]), "python -m benchmarks audit"
    assert "**" not in text.split("## What this record does not show")[0], "a failure"
