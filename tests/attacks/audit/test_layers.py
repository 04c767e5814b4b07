"""Layers of an audit that need no two neighbours' law: sensitivities climbed, the law of the noise."""

import math

import numpy as np
import pytest

from dplda.attacks.audit import harness
from dplda.attacks.audit.attack import Attack
from dplda.attacks.audit.audited import attacks_on, audited_methods
from dplda.attacks.audit.harness import Audit, Verdict
from dplda.attacks.audit.layers import NeighborSearch, NoiseFit
from dplda.attacks.audit.promise import make_promise
from dplda.attacks.audit.sabotage import BY_DOCUMENT, HALF, HONEST, PUBLISHED, REUSED, Sabotage
from dplda.cli.audit import layers_in_words
from dplda.methods.registry import parse_method
from dplda.privacy.release import Guarantee
from tests.attacks.audit import gate

ATTACKS = [attack for method in audited_methods().values() for attack in attacks_on(method)]
PROMISE = gate.SAMPLED
ERROR = 1e-8


def climbed(
    attack: Attack, *, promise: Guarantee = PROMISE, sabotage: Sabotage = HONEST, steps: int
) -> NeighborSearch:
    climb = NeighborSearch(attack, promise, sabotage, np.random.default_rng(0))
    climb.try_pairs(steps)
    return climb


@pytest.mark.parametrize("persons", [False, True])
def test_neighbor_search_reaches_each_sensitivity_without_passing_it(persons: bool) -> None:
    for attack in ATTACKS:
        climb = climbed(
            attack,
            promise=make_promise(PROMISE.epsilon, persons=persons),
            steps=2 if persons else 4,
        )
        assert climb.holds, attack
        assert climb.n_tried == (2 if persons else 4)
        hashed = (
            persons and attack.edge == "evidence"
        )  # other halves, as what is hashed is all that one wrote
        assert climb.largest_ratio > (0.9 if hashed else 0.95) * attack.attained_share, attack


def test_noise_fit_in_every_layout_holds_only_for_declared_noise() -> None:
    """The noise of a whitened tensor is made of more numbers than it has entries."""
    for attack in ATTACKS:
        for sabotage in (HONEST, HALF):
            law = NoiseFit(attack.laplace)
            law.add(attack.sample_scores(PROMISE, 400, 0, sabotage).residuals)
            assert law.holds(ERROR) is (sabotage is HONEST), (str(attack), law.relative_size)


@pytest.mark.parametrize("name", ["adaptive", "refined", "private-unigram", "dp-vi"])
def test_sabotage_of_sensitivities_is_seen_by_climbing(name: str) -> None:
    all_attacks = attacks_on(parse_method(name))
    assert any(
        climbed(attack, sabotage=PUBLISHED, steps=1).largest_ratio > 1.4 for attack in all_attacks
    )
    person = make_promise(PROMISE.epsilon, persons=True)
    assert any(
        climbed(attack, promise=person, sabotage=BY_DOCUMENT, steps=1).largest_ratio > 1.4
        for attack in all_attacks
    )


def test_neighbor_search_from_equal_documents_climbs_to_the_sensitivity() -> None:
    """From neighbours that are both alike, up to the sensitivity itself."""
    attack = attacks_on(parse_method("private-unigram"))[0]
    first_rows, _ = attack.pair
    climb = NeighborSearch(
        attack,
        PROMISE,
        HONEST,
        np.random.default_rng(1),
        _best_pair=(first_rows, first_rows.copy()),
    )
    ratios_seen = []
    for _ in range(60):
        climb.try_pairs(1)
        ratios_seen.append(climb.largest_ratio)
    assert ratios_seen == sorted(ratios_seen)
    assert ratios_seen[0] < 0.9 < ratios_seen[-1] <= 1
    best_pair = climb._best_pair
    assert np.count_nonzero(np.any(best_pair[0] != best_pair[1], axis=1)) == 1


@pytest.mark.parametrize("laplace", [False, True])
def test_noise_fit_fails_for_noise_five_percent_off_the_declared_size(laplace: bool) -> None:
    """100,000 numbers: five percent of the size are 11 of its standard deviations (a normal's square), or more."""
    rng = np.random.default_rng(0)
    unit_noise = rng.laplace(size=(50, 2000)) if laplace else rng.standard_normal((50, 2000))
    for factor, holds in ((1.0, True), (1.05, False), (0.95, False)):
        law = NoiseFit(laplace)
        law.add(factor * unit_noise[:25])
        law.add(factor * unit_noise[25:])
        assert law.holds(ERROR) is holds
        assert law.relative_size == pytest.approx(factor ** (1 if laplace else 2), rel=0.02)


def test_noise_fit_fails_for_repeated_draws_or_no_noise() -> None:
    rng = np.random.default_rng(0)
    residual_draws = rng.standard_normal((40, 3))
    residual_draws[7] = residual_draws[30]
    for residuals in (residual_draws, np.zeros((40, 3))):
        law = NoiseFit(laplace=False)
        law.add(residuals)
        assert not law.holds(ERROR)


def test_right_noise_is_doubted_as_seldom_as_stated() -> None:
    """2,000 laws at an error of 0.05: 100 doubted, within five standard deviations."""
    rng, doubted = np.random.default_rng(3), 0
    for _ in range(2000):
        law = NoiseFit(laplace=False)
        law.add(rng.standard_normal((20, 2)))
        doubted += not law.holds(0.05)
    assert abs(doubted - 100) < 5 * math.sqrt(100 * 0.95)


@pytest.mark.usefixtures("few_pairs")
@pytest.mark.parametrize("sabotage", [HALF, PUBLISHED, REUSED])
def test_verdict_of_an_audit_counts_every_layer(sabotage: Sabotage) -> None:
    """In so few runs that two neighbours alone prove nothing."""
    audit = Audit(parse_method("private-unigram"), PROMISE, runs=80, sabotage=sabotage, batches=2)
    verdict, of_chain = audit.run_all(lambda share, line: None)
    result, _ = audit.results
    assert result.lower <= result.claimed_loss
    assert verdict is of_chain is Verdict.CAUGHT
    verdict_text = layers_in_words(audit, result)
    assert {
        HALF: "too different to be chance",
        PUBLISHED: "1.4142 of its sensitivity, too far",
        REUSED: "came twice",
    }[sabotage] in verdict_text


@pytest.mark.usefixtures("few_pairs")
def test_layers_of_an_honest_audit_find_nothing() -> None:
    audit = Audit(parse_method("private-unigram"), PROMISE, runs=80, batches=2)
    assert audit.run_all(lambda share, line: None) == (Verdict.UNDECIDED,) * 2
    result, _ = audit.results
    assert result.search.n_tried == harness.N_PAIRS
    assert layers_in_words(audit, result).startswith(
        f"{harness.N_PAIRS} neighbors reach 1.0000 of its sensitivity; its noise"
    )
