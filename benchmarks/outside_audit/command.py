"""The outside audit: every mechanism and release by Re:cord-play, and by OpenDP's and dp-accounting's checkers.

    python -m benchmarks audit

writes its rows and the page Record of the documentation, with the date and versions.
"""

import math
from collections.abc import Iterator

from dp_accounting.privacy_accountant import NeighboringRelation

from benchmarks.outside_audit import page
from benchmarks.outside_audit.cases import AMPLE, Case, every_case
from benchmarks.outside_audit.controls import controls
from benchmarks.outside_audit.neighbors import AMONG_ALIKE, Neighbors, pairs
from benchmarks.outside_audit.outside import (
    accounted_delta,
    opendp_agrees,
    opendp_cost,
    opendp_epsilon,
)
from benchmarks.outside_audit.primitives import draw_primitives
from benchmarks.outside_audit.record_play import Declared, Finding, PlayedPair, play
from dplda.methods.configurations import REGISTRY
from dplda.methods.registry import METHODS
from dplda.privacy.accounting.budget_caps import SELECTION_FAILURE_SHARE
from dplda.privacy.noise.exact import delta_of_noise

NOTHING = "nothing was released"

Row = dict[str, str | int | float | bool | None]


def run() -> Iterator[Row]:
    """Rows of four sections, and the page when all are there."""
    rows: list[Row] = []
    for row in every_row():
        rows.append(row)
        yield dict(row)
    page.write_page(rows)


def every_row() -> Iterator[Row]:
    """Releases of every case, what they cost together, sources of noise, and broken runs."""
    all_pairs = tuple(pairs())
    for case in every_case():
        played_pairs = play_case(case, all_pairs)
        yield from release_rows(case, played_pairs)
        declared = next((pair.declared for pair in played_pairs if pair.declared), ())
        if declared and case.budget.epsilon < AMPLE.epsilon:
            yield cost_row(case, declared)
    for primitive in draw_primitives():
        yield {
            "section": "noise",
            "source": primitive.name,
            "law": primitive.law,
            "draws": len(primitive.draws),
            "p_value": round(primitive.p_value, 4),
            "least_loss_at_1": round(primitive.least_loss(1.0), 3),
        }
    for control in controls():
        played_pairs = play_case(control.case, all_pairs)
        yield {
            "section": "controls",
            "method": control.case.method,
            "fault": control.fault,
            "found": not all(pair.holds for pair in played_pairs),
            "pairs": sum(not pair.holds for pair in played_pairs),
            "of": len(played_pairs),
        }


def play_case(case: Case, all_pairs: tuple[Neighbors, ...]) -> list[PlayedPair]:
    """Record and play a case on every pair that it admits."""
    return [
        play(case.run, pair.corpora(case.unit, label=case.label), case.make_noise)
        for pair in all_pairs
        if not (case.skips_alike and pair.name == AMONG_ALIKE)
    ]


def release_rows(case: Case, played_pairs: list[PlayedPair]) -> Iterator[Row]:
    """A row for each release of a case: the largest distance over all pairs, against the declared sensitivity.

    Args:
        case: what was run.
        played_pairs: the case on every pair that it admits; without any finding, one row says so.
    """
    by_stream: dict[str, list[Finding]] = {}
    for pair in played_pairs:
        for finding in pair.findings:
            by_stream.setdefault(finding.stream, []).append(finding)
    if not by_stream:  # every pair was refused, or differed at once: nothing was checked
        nothing = Finding(stream=NOTHING, law="", calls=0, ratio=math.inf, noise_ratio=1.0)
        by_stream[NOTHING] = [nothing]
    violations = [pair.violation for pair in played_pairs if pair.violation]
    for stream, findings in by_stream.items():
        yield {
            "section": "releases",
            "case": case.title,
            "method": case.method,
            "epsilon": case.budget.epsilon,
            "release": stream,
            "law": findings[0].law,
            "calls": max(finding.calls for finding in findings),
            "pairs": len(findings),
            "refused": sum(not pair.declared for pair in played_pairs),
            "largest_ratio": round(max(finding.ratio for finding in findings), 9),
            "least_noise": round(min(finding.noise_ratio for finding in findings), 9),
            "violation": next(iter(violations), ""),
            "holds": stream != NOTHING and all(pair.holds for pair in played_pairs),
        }


def cost_row(case: Case, declared: tuple[Declared, ...]) -> Row:
    """Cost of all releases of a case together, by us, by OpenDP and by dp-accounting.

    Args:
        case: what was run.
        declared: releases of one run; of random minibatches, δ is also given for replacement.
    """
    epsilon = case.budget.epsilon
    delta = case.budget.delta * _noise_share(case)
    if case.exact:
        delta = delta_of_noise(delta)
    is_sampled = any(release.sampling_rate < 1 for release in declared)
    is_laplace = any(release.law == "Laplace" for release in declared)
    row: Row = {
        "section": "cost",
        "case": case.title,
        "method": case.method,
        "releases": len(declared),
        "epsilon": epsilon,
        "delta": delta,
        "dp_accounting_delta": float(f"{accounted_delta(declared, epsilon):.6g}"),
    }
    if is_sampled:
        delta_of_replacement = accounted_delta(declared, epsilon, NeighboringRelation.REPLACE_ONE)
        row["dp_accounting_delta_replaced"] = float(f"{delta_of_replacement:.6g}")
        return row
    opendp_costs = [opendp_cost(release) for release in declared]
    our_budgets = [release.sensitivity / release.scale for release in declared]
    row["opendp_agrees"] = all(map(opendp_agrees, declared))
    row["opendp_cost"] = float(f"{math.fsum(opendp_costs):.8g}")
    if is_laplace:
        row["our_cost"] = float(f"{math.fsum(our_budgets):.8g}")
    else:
        row["our_cost"] = float(f"{math.fsum(budget**2 / 2 for budget in our_budgets):.8g}")
        row["opendp_epsilon"] = float(f"{opendp_epsilon(declared, delta):.6g}")
    return row


def _noise_share(case: Case) -> float:
    """Part of δ that pays for noise: not for bounds that fail, and not for words that pass by luck."""
    if case.skips_alike:
        return 1 - SELECTION_FAILURE_SHARE
    method = METHODS.get(case.method)
    if method is None or method.name not in REGISTRY:
        return 1.0
    return 1 - REGISTRY[method.name].variants[method.scaling].failure
