"""The gate: no release of a proven configuration is less private than the whole plan claims, and mutants are.

How errors are shared out and runs were chosen: tests/audit/gate.py.
"""

import math

import numpy as np
import pytest

from dplda.fitting.pipeline import run
from dplda.privacy.release import Release
from tests.audit import gate, looks, mutants
from tests.audit.conditional import drawn
from tests.audit.evidence import Evidence, evidence, gaussian_mu, pure_epsilon
from tests.audit.gate import ALL, ROOT_TWO, TWO
from tests.audit.refinement import AUDITED
from tests.audit.test_reused_noise import PAIRS_OF_RELEASES
from tests.audit.worst_cases import AUDITS, MOST, Audit
from tests.configurations.variants import CORPUS, PROVEN, Entry, every_proven_variant

every_audit = pytest.mark.parametrize("audit", AUDITS, ids=str)


def runs(audit: Audit, missing: str) -> int:
    kind = gate.RUNS_LAPLACE if audit.laplace else gate.RUNS_LEVEL if audit.post_processed else gate.RUNS_GAUSSIAN
    return kind[missing]


def found(audit: Audit, n_runs: int) -> Evidence:
    one, two = audit.drawn(n_runs)
    scores = (looks.laplace_scores if audit.laplace else looks.gaussian_scores)(one, two, audit.look)
    return evidence(*scores, pure_epsilon if audit.laplace else gaussian_mu, error=gate.ERROR)


@every_audit
def test_a_release_is_no_less_private_than_its_plan_claims(audit: Audit) -> None:
    assert found(audit, runs(audit, TWO if audit.post_processed else ROOT_TWO)).lower <= audit.claimed


def test_the_last_bits_of_simulated_noise_are_more_than_its_plan_claims() -> None:
    """Why no draw of it is releasable, and why scores have nine digits. Noise that may be released must pass this."""
    (audit,) = (audit for audit in AUDITS if audit.laplace and audit.share == "mass")
    ratios = looks.laplace_ratios(*audit.drawn(runs(audit, ROOT_TWO)), audit.look)
    assert evidence(*ratios, pure_epsilon, error=gate.ERROR).lower > audit.claimed


def always(audit: Audit) -> bool:
    return True


def searches(audit: Audit) -> bool:
    return audit.look in (looks.counts, looks.level)


def is_clipped(audit: Audit) -> bool:
    return audit.stream in ("e2 pair average", "e6 whitened triple average") and audit.entry.name == "adaptive"


MUTANTS = {
    "half the noise": (mutants.noise_over(2), TWO, always),
    "no noise": (mutants.no_noise, ALL, always),
    "sensitivity over √2": (mutants.sensitivity_over(math.sqrt(2)), ROOT_TWO, lambda audit: not audit.post_processed),
    "sensitivity over 2": (mutants.sensitivity_over(2), TWO, is_clipped),
    "documents not clipped": (mutants.nothing_clipped, TWO, is_clipped),
    "one count paid for": (mutants.one_count, TWO, searches),
    "exact counts": (mutants.exact_counts, ALL, lambda audit: audit.look is looks.level),
}
CASES = [(name, audit) for name, (_, _, belongs) in MUTANTS.items() for audit in AUDITS if belongs(audit)]


@pytest.mark.parametrize(("name", "audit"), CASES, ids=str)
def test_a_mutant_is_caught_by_the_audit_of_its_release(
    name: str, audit: Audit, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutate, missing, _ = MUTANTS[name]
    mutate(monkeypatch, audit.stream)
    assert found(audit, runs(audit, missing)).lower > audit.claimed


@every_proven_variant
def test_every_release_of_a_proven_configuration_is_audited(entry: Entry) -> None:
    """A quantity that is new, or on another edge, needs a pair of neighbours of its own."""
    plan = entry.plan()
    released = [f"{r.edge} {r.quantity}" for r in run(CORPUS, plan, n_topics=3, alpha0=1.0).fit.releases]
    audited = [a.stream for a in AUDITS if a.entry == entry and not a.post_processed]
    assert sorted(audited) == sorted(released)
    assert sorted(a.share for a in AUDITS if a.entry == entry and not a.post_processed) == sorted(entry.variant.names)


def test_nothing_else_is_audited() -> None:
    assert {audit.entry for audit in AUDITS} == set(PROVEN)
    assert len({str(audit) for audit in AUDITS}) == len(AUDITS)


@every_proven_variant
def test_what_is_drawn_again_and_again_is_what_the_pipeline_releases(entry: Entry) -> None:
    """Bit by bit: given a run's own answers, the first draw of each release is that run's."""
    plan, choices = entry.plan(), {"n_topics": 3, "alpha0": 1.0, "seed": 4}
    releases = run(CORPUS, plan, **choices).fit.releases
    answers = {f"{release.edge} {release.quantity}": release.value for release in releases}
    for stream, value in answers.items():
        first, second = drawn(CORPUS, plan, stream, answers, draws=2, **choices).values
        np.testing.assert_array_equal(first, value)
        assert np.all(np.asarray(second) != value) or "clip level" in stream


@every_audit
def test_neighbours_differ_in_one_document_and_are_as_far_apart_as_stated(audit: Audit) -> None:
    """The noise is that of a share of 98 %, for a sensitivity that the pair attains, or is known to reach a part of."""
    assert np.count_nonzero(np.any(audit.one != audit.two, axis=1)) == 1
    one, two = audit.drawn(1)
    assert one.named == two.named
    assert share_of_budget(audit, one.release) == pytest.approx(MOST, rel=1e-9)
    if not audit.post_processed:
        apart = audit.look(one)[1] - audit.look(two)[1]
        distance = np.sum(np.abs(apart)) if audit.laplace else np.linalg.norm(apart)
        assert 0.997 < distance / (one.release.sensitivity * audit.reach) <= 1


def share_of_budget(audit: Audit, release: Release) -> float:
    if audit.laplace:
        return release.pure_epsilon / audit.claimed
    return (release.mu / audit.claimed * audit.reach) ** 2


def test_no_more_audits_share_the_error_than_it_is_divided_by() -> None:
    assert len(AUDITS) + len(PAIRS_OF_RELEASES) + 1 + len(AUDITED) <= gate.AUDITS_AT_MOST
