"""The gate: no release of a proven method is less private than it claims; sabotage and mutants are found out.

How errors are shared out and runs were chosen: tests/attacks/audit/gate.py. What a mutant does to means and scales is
seen exactly, in one replay; what it does to noise, in runs.
"""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from dplda.attacks.audit import sabotage as sabotages
from dplda.attacks.audit.attack import Attack, stream_of
from dplda.attacks.audit.audited import REFINED, UNIGRAM, attacks_on, audited_methods
from dplda.attacks.audit.evidence import LossBound, bound_loss
from dplda.attacks.audit.minibatches import VARIATIONAL, SampledAttack
from dplda.attacks.audit.promise import ATTACKED_SHARE
from dplda.attacks.audit.sabotage import (
    EVERYONE,
    HALF,
    HONEST,
    LAST_BITS,
    PUBLISHED,
    REUSED,
    Sabotage,
    drop_noise_on,
)
from dplda.attacks.audit.worst_cases import ATTACKS
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.methods.refined.algorithm import fit_refined
from dplda.methods.refined.documents.documents import Documents
from dplda.methods.refined.plan.constants import RefinedConstants
from dplda.methods.refined.plan.schedule import RefinedSchedule
from dplda.privacy import mechanisms, sensitivity
from dplda.spectral.corpus_statistics import CorpusStatistics
from tests.attacks.audit import gate
from tests.attacks.audit.gate import ALL, ROOT_TWO, TAKEN, TWO, promise
from tests.methods.configurations.variants import CORPUS, Entry, every_proven_variant
from tests.statistical.laws import ENOUGH, follows
from tests.tiny_corpora import topical_corpus

EVERY = [attack for method in audited_methods().values() for attack in attacks_on(method)]
every_attack = pytest.mark.parametrize("attack", EVERY, ids=str)
Patch = pytest.MonkeyPatch


def found(attack: Attack, missing: str, sabotage: Sabotage = HONEST) -> LossBound:
    first_scores, second_scores, _ = attack.sample_scores(
        promise(attack), gate.runs(attack)[missing], sabotage=sabotage
    )
    return bound_loss(
        first_scores, second_scores, attack.measure(promise(attack)), error=gate.ERROR
    )


def claimed(attack: Attack) -> float:
    return attack.claimed_loss(promise(attack))


@every_attack
def test_audit_of_a_release_stays_within_its_claim(attack: Attack) -> None:
    assert found(attack, ROOT_TWO).lower <= claimed(attack)


def ways(attack: Attack) -> list[tuple[Sabotage, str]]:
    """As dplda audit and the Audit page do them; of how far values are apart where something is lost."""
    known_sabotages = [(HALF, TWO), *[(drop_noise_on(attack.edge), ALL)] * (attack.edge != "all")]
    known_sabotages += [(REUSED, ALL)] * (
        attack is attacks_on(attack.method)[0]
    )  # one source draws for all releases of a method
    known_sabotages += [(sabotages.SAMPLED, ROOT_TWO)] * (attack in (*REFINED[:3], *UNIGRAM))
    if attack.attained_share == 1 and attack.sensitivity_per_part >= math.sqrt(2):
        known_sabotages.append((PUBLISHED, TWO if attack.sensitivity_per_part == 2 else ROOT_TWO))
    if isinstance(attack, SampledAttack):
        known_sabotages.append((EVERYONE, TAKEN))
    elif attack in VARIATIONAL or (attack.laplace and attack.name == "mass"):
        known_sabotages.append((LAST_BITS, ROOT_TWO))
    return known_sabotages


SABOTAGED = [(attack, *way) for attack in EVERY for way in ways(attack)]


@pytest.mark.parametrize(("attack", "sabotage", "missing"), SABOTAGED, ids=str)
def test_sabotage_is_caught_by_the_audit_of_its_release(
    attack: Attack, sabotage: Sabotage, missing: str
) -> None:
    assert found(attack, missing, sabotage).lower > claimed(attack)


def test_noise_that_another_edge_lacks_is_not_this_releases_business() -> None:
    assert found(ATTACKS[0], TWO, drop_noise_on("e6")).lower <= claimed(ATTACKS[0])


def sensitivity_over(factor: float) -> Callable[[Patch], None]:
    """The sensitivity is taken for too small when noise is scaled to it."""
    honest = mechanisms._scale
    return lambda patch: patch.setattr(
        mechanisms, "_scale", lambda value, *budget: honest(value / factor, *budget)
    )


def one_count(patch: Patch) -> None:
    """A search pays for one of its nine counts."""
    patch.setattr(sensitivity, "count", lambda **queries: 1.0)


def nothing_clipped(patch: Patch) -> None:
    """Documents enter averages as they are, whatever the level."""
    averages, triples = CorpusStatistics.averages, CorpusStatistics.triple_average
    patch.setattr(
        CorpusStatistics, "averages", lambda self, clip: replace(averages(self, 1.0), clip=clip)
    )
    patch.setattr(
        CorpusStatistics,
        "triple_average",
        lambda self, clip, W, limit: triples(self, clip, W, np.inf),
    )


def count_not_clipped(patch: Patch) -> None:
    honest = Documents.sum_word_counts
    patch.setattr(
        Documents,
        "sum_word_counts",
        lambda self, *, clip_norm, **options: honest(self, clip_norm=math.inf, **options),
    )


def doubled(patch: Patch) -> None:
    """Documents' parts in a step are clipped at twice the bound."""
    honest = Documents.sum_contributions
    patch.setattr(
        Documents,
        "sum_contributions",
        lambda *arguments, clip_norm, **options: honest(
            *arguments, clip_norm=2 * clip_norm, **options
        ),
    )


def doubled_in_minibatches(patch: Patch) -> None:
    doubled(patch)
    honest = Documents.sum_word_counts
    patch.setattr(
        Documents,
        "sum_word_counts",
        lambda self, *, clip_norm, **options: honest(self, clip_norm=2 * clip_norm, **options),
    )


def clipped(attack: Attack) -> bool:
    return attack.method.name == "adaptive" and attack.name in ("pairs", "triples")


MUTANTS = [
    *[
        (sensitivity_over(1 + 1e-6), attack)
        for attack in EVERY
        if attack.attained_share == 1 and attack not in VARIATIONAL
    ],
    *[(one_count, attack) for attack in EVERY if "clip level" in attack.stream],
    *[(nothing_clipped, attack) for attack in EVERY if clipped(attack)],
    *[
        (count_not_clipped, attack)
        for attack in (REFINED[0], REFINED[2], *UNIGRAM, *VARIATIONAL[2:])
    ],
    *[(doubled, attack) for attack in REFINED[1:3]],
    *[(doubled_in_minibatches, attack) for attack in VARIATIONAL],
]


@pytest.mark.parametrize(
    ("mutant", "attack"), MUTANTS, ids=lambda case: getattr(case, "__name__", str(case))
)
def test_mutant_costs_more_on_its_attack_pair_than_it_declares(
    mutant: Callable[[Patch], None], attack: Attack, monkeypatch: Patch
) -> None:
    assert attack.budget_ratio(promise(attack), attack.pair) <= 1
    mutant(monkeypatch)
    assert attack.budget_ratio(promise(attack), attack.pair) > 1


def test_run_whose_steps_overspend_raises(
    monkeypatch: Patch,
) -> None:
    planned_shares = RefinedSchedule.step_shares

    def all_in_every_step(
        schedule: RefinedSchedule, start_share: float, **choice: bool
    ) -> tuple[float, ...]:
        shares = planned_shares(schedule, start_share, **choice)
        return (sum(shares),) * len(shares)

    monkeypatch.setattr(RefinedSchedule, "step_shares", all_in_every_step)
    with pytest.raises(RuntimeError, match="exceed"):
        REFINED[2].replay_run(promise(REFINED[2]))


@every_attack
def test_attack_pair_differs_in_one_document_by_the_attained_share(attack: Attack) -> None:
    first_rows, second_rows = attack.pair
    assert np.count_nonzero(np.any(first_rows != second_rows, axis=1)) == 1
    assert (
        0.97 * attack.attained_share
        < attack.budget_ratio(promise(attack), attack.pair)
        <= attack.attained_share
    )


@every_attack
def test_attack_run_spends_the_attacked_share_of_its_budget(attack: Attack) -> None:
    """The noise is that of a share of 98 %, for a sensitivity that the pair attains, or is known to reach a part of."""
    if attack in VARIATIONAL:
        return
    record, promise_given = attack.replay_run(promise(attack)), promise(attack)
    spent_amounts = [
        r.pure_epsilon if attack.laplace else r.mu**2
        for r in record.results[0]
        if stream_of(r) == attack.stream
    ]
    if spent_amounts:
        share = sum(spent_amounts) / (
            promise_given.epsilon
            if attack.laplace
            else (claimed(attack) / attack.attained_share) ** 2
        )
        is_more = (
            "more" in attack.name
        )  # what the search for a tensor's level would have had comes to it
        assert share == pytest.approx(
            ATTACKED_SHARE + is_more * (1 - ATTACKED_SHARE) / 5, rel=2e-6 if is_more else 1e-9
        )
    if not attack.failure_share:  # answers are as likely as any
        assert record.spent_budget <= claimed(attack) * (1 + 1e-9)  # of the whole path


@pytest.mark.parametrize("attack", [ATTACKS[0], *REFINED, *UNIGRAM, *VARIATIONAL], ids=str)
def test_noise_follows_the_declared_law(attack: Attack) -> None:
    """Scale, mean, shape and independence, over all draws of all releases: false alarms 1e-4 each (laws.py)."""
    assert follows(attack.sample_scores(promise(attack), -(-ENOUGH // 4)).residuals)


@every_proven_variant
def test_audit_covers_every_release_of_a_proven_configuration(entry: Entry) -> None:
    """A quantity that is new, or on another edge, needs a pair of neighbours of its own."""
    released = {
        stream_of(release)
        for release in fit_spectral(CORPUS, entry.plan(), Problem(3, 1.0)).releases
    }
    known_attacks = [
        attack for attack in ATTACKS if attack.method.key == f"{entry.name}/{entry.calibration}"
    ]
    repeated_streams = {attack.stream for attack in known_attacks if "again" in attack.stream}
    assert {attack.stream for attack in known_attacks} == released | repeated_streams
    assert sorted(attack.name for attack in known_attacks) == sorted(
        (
            *entry.variant.names,
            *(extra_release.name for extra_release in entry.variant.extra_releases),
        )
    )


def test_audit_covers_every_release_of_a_refined_run() -> None:
    corpus, recipe = (
        topical_corpus(1, n_documents=1000, n_words=12),
        RefinedConstants(max_start_noise=1e9, n_steps=1),
    )
    fitted_run = fit_refined(corpus, Problem(2, 1.0), Budget(12.4, 1e-7), constants=recipe)
    spectral = {
        a.stream for a in ATTACKS if a.method.name == "adaptive" and "word counts" not in a.stream
    }
    assert {stream_of(release) for release in fitted_run.releases} == {
        a.stream for a in REFINED if a.stream
    } | spectral


def test_gate_error_is_divided_by_enough_audits() -> None:
    assert len({str(attack) for attack in EVERY}) == len(EVERY) <= gate.AUDITS_AT_MOST
