"""The gate: no release of a proven configuration is less private than the whole plan claims, and mutants are.

How errors are shared out and runs were chosen: tests/attacks/audit/gate.py.
"""

import math

import numpy as np
import pytest

from dplda.attacks.audit import looks
from dplda.attacks.audit.conditional import drawn
from dplda.attacks.audit.evidence import Evidence, evidence
from dplda.attacks.audit.minibatches import VARIATIONAL
from dplda.attacks.audit.promise import MOST
from dplda.attacks.audit.refinement import REFINED, UNIGRAM
from dplda.attacks.audit.sabotage import HALF, LAST_BITS, PUBLISHED, REUSED, Sabotage, without
from dplda.attacks.audit.worst_cases import AUDITS, ReleaseAttack
from dplda.methods.chain.pipeline import run
from dplda.methods.problem import Problem
from dplda.methods.resources import Resources
from dplda.privacy.release import Release
from tests.attacks.audit import gate, mutants
from tests.attacks.audit.gate import ALL, ROOT_TWO, TWO, promise
from tests.attacks.audit.test_reused_noise import PAIRS_OF_RELEASES
from tests.methods.configurations.variants import CORPUS, PROVEN, Entry, every_proven_variant

every_audit = pytest.mark.parametrize("audit", AUDITS, ids=str)


def runs(audit: ReleaseAttack, missing: str) -> int:
    kind = gate.RUNS_LAPLACE if audit.laplace else gate.RUNS_LEVEL if audit.post_processed else gate.RUNS_GAUSSIAN
    return kind[missing]


def found(audit: ReleaseAttack, n_runs: int, sabotage: Sabotage | None = None) -> Evidence:
    one, two, _ = audit.seen(promise(audit), n_runs, sabotage=sabotage)
    return evidence(one, two, audit.measure(promise(audit)), error=gate.ERROR)


def claimed(audit: ReleaseAttack) -> float:
    return audit.claimed(promise(audit))


@every_audit
def test_a_release_is_no_less_private_than_its_plan_claims(audit: ReleaseAttack) -> None:
    assert found(audit, runs(audit, TWO if audit.post_processed else ROOT_TWO)).lower <= claimed(audit)


def test_the_last_bits_of_simulated_noise_are_more_than_its_plan_claims() -> None:
    """Why no draw of it is releasable, and why scores have nine digits. Noise that may be released must pass this."""
    (audit,) = (audit for audit in AUDITS if audit.laplace and audit.share == "mass")
    assert found(audit, runs(audit, ROOT_TWO), LAST_BITS).lower > claimed(audit)


def always(audit: ReleaseAttack) -> bool:
    return True


def attained_root_two(audit: ReleaseAttack) -> bool:
    return audit.reach == 1 and audit.apart == math.sqrt(2)


def attained_two(audit: ReleaseAttack) -> bool:
    return audit.reach == 1 and audit.apart == 2


def otherwise(audit: ReleaseAttack) -> bool:
    """Where no sabotage is of √2; of Laplace noise one is enough, since all have the same law (test_evidence.py)."""
    return not attained_root_two(audit) and not audit.post_processed and not (audit.laplace and audit.apart == 2)


def searches(audit: ReleaseAttack) -> bool:
    return audit.look in (looks.counts, looks.level)


def is_clipped(audit: ReleaseAttack) -> bool:
    return audit.stream in ("e2 pair average", "e6 whitened triple average") and audit.configuration == "adaptive"


SABOTAGES = {  # as dplda audit and the Audit page do them
    "half the noise": (lambda audit: HALF, TWO, always),
    "no noise on its edge": (lambda audit: without(audit.edge), ALL, always),
    "a reused seed": (lambda audit: REUSED, ALL, lambda audit: not audit.post_processed),
    "the published sensitivity, √2 too small": (lambda audit: PUBLISHED, ROOT_TWO, attained_root_two),
    "the published sensitivity, half of it": (lambda audit: PUBLISHED, TWO, attained_two),
}
MUTANTS = {
    "sensitivity over √2": (mutants.sensitivity_over(math.sqrt(2)), ROOT_TWO, otherwise),
    "sensitivity over 2": (mutants.sensitivity_over(2), TWO, is_clipped),
    "documents not clipped": (mutants.nothing_clipped, TWO, is_clipped),
    "one count paid for": (mutants.one_count, TWO, searches),
    "exact counts": (mutants.exact_counts, ALL, lambda audit: audit.look is looks.level),
}
CASES = [(name, audit) for name, (_, _, belongs) in MUTANTS.items() for audit in AUDITS if belongs(audit)]
SABOTAGED = [(name, audit) for name, (_, _, belongs) in SABOTAGES.items() for audit in AUDITS if belongs(audit)]


@pytest.mark.parametrize(("name", "audit"), SABOTAGED, ids=str)
def test_sabotage_is_caught_by_the_audit_of_its_release(name: str, audit: ReleaseAttack) -> None:
    of, missing, _ = SABOTAGES[name]
    assert found(audit, runs(audit, missing), of(audit)).lower > claimed(audit)


def test_noise_that_another_edge_lacks_is_not_this_releases_business() -> None:
    audit = AUDITS[0]
    assert found(audit, runs(audit, TWO), without("e6")).lower <= claimed(audit)


@pytest.mark.parametrize(("name", "audit"), CASES, ids=str)
def test_a_mutant_is_caught_by_the_audit_of_its_release(
    name: str, audit: ReleaseAttack, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutate, missing, _ = MUTANTS[name]
    mutate(monkeypatch, audit.stream)
    assert found(audit, runs(audit, missing)).lower > claimed(audit)


def entry_of(audit: ReleaseAttack) -> Entry:
    return Entry(audit.configuration, audit.scaling)


@every_proven_variant
def test_every_release_of_a_proven_configuration_is_audited(entry: Entry) -> None:
    """A quantity that is new, or on another edge, needs a pair of neighbours of its own."""
    plan = entry.plan()
    released = [f"{r.edge} {r.quantity}" for r in run(CORPUS, plan, Problem(3, 1.0)).fit.releases]
    audits = [a for a in AUDITS if entry_of(a) == entry and not a.post_processed]
    assert {a.stream for a in audits} - set(released) == {"e2 clipped word counts, again"} & {a.stream for a in audits}
    assert set(released) <= {a.stream for a in audits}
    assert sorted(a.share for a in audits) == sorted(
        (*entry.variant.names, *(beside.name for beside in entry.variant.besides))
    )


def test_nothing_else_is_audited() -> None:
    assert {entry_of(audit) for audit in AUDITS} == set(PROVEN)
    assert len({str(audit) for audit in AUDITS}) == len(AUDITS)


@every_proven_variant
def test_what_is_drawn_again_and_again_is_what_the_pipeline_releases(entry: Entry) -> None:
    """Bit by bit: given a run's own answers, the first draw of each release is that run's."""
    plan, choices = entry.plan(), {"n_topics": 3, "alpha0": 1.0, "seed": 4}
    releases = run(CORPUS, plan, Problem(3, 1.0), Resources(4)).fit.releases
    answers = {f"{release.edge} {release.quantity}": release.value for release in releases}
    for stream, value in answers.items():
        first, second = drawn(CORPUS, plan, stream, answers, draws=2, **choices).values
        np.testing.assert_array_equal(first, value)
        assert np.all(np.asarray(second) != value) or "clip level" in stream


@every_audit
def test_neighbours_differ_in_one_document_and_are_as_far_apart_as_stated(audit: ReleaseAttack) -> None:
    """The noise is that of a share of 98 %, for a sensitivity that the pair attains, or is known to reach a part of."""
    assert np.count_nonzero(np.any(audit.one != audit.two, axis=1)) == 1
    one, two = audit.drawn(promise(audit), 1)
    assert (one.release.sensitivity, one.ends) == (two.release.sensitivity, two.ends)
    more = "more" in audit.share  # what the search for a tensor's level would have had comes to it
    assert share_of_budget(audit, one.release) == pytest.approx(
        MOST + more * (1 - MOST) / 5, rel=2e-6 if more else 1e-9
    )
    if not audit.post_processed:
        apart = audit.look(one)[1] - audit.look(two)[1]
        distance = np.sum(np.abs(apart)) if audit.laplace else np.linalg.norm(apart)
        assert 0.997 < distance / (one.release.sensitivity * audit.reach) <= 1


def share_of_budget(audit: ReleaseAttack, release: Release) -> float:
    if audit.laplace:
        return release.pure_epsilon / claimed(audit)
    return (release.mu / claimed(audit) * audit.reach) ** 2


def test_no_more_audits_share_the_error_than_it_is_divided_by() -> None:
    assert len(AUDITS) + len(PAIRS_OF_RELEASES) + len(VARIATIONAL) + len(REFINED) + len(UNIGRAM) <= gate.AUDITS_AT_MOST
