"""The harness as users meet it: verdicts that mean something, sabotage that is caught, refusals, exit codes."""

import numpy as np
import pytest

from dplda.audit.evidence import evidence, gaussian_mu
from dplda.audit.harness import (
    TWO,
    Audit,
    Verdict,
    as_epsilon,
    attacks,
    audited_methods,
    enough,
    finds,
    sabotages,
)
from dplda.audit.promise import Promise
from dplda.audit.worst_cases import AUDITS
from dplda.cli import main
from dplda.errors import InputError
from dplda.methods import METHODS, parse_method
from dplda.privacy import gaussian
from dplda.privacy.release import Status
from tests.audit import gate

PROMISE = Promise(10.0)
ERROR = 1e-7


def test_every_proven_configuration_and_refined_are_offered_and_all_their_releases() -> None:
    offered = audited_methods()
    proven = {text for text, method in METHODS.items() if method.status is Status.PROVEN and method.plan is not None}
    assert set(offered) == proven | {"refined"}
    assert sum(len(attacks(method)) for method in offered.values()) == 3 + sum(not a.post_processed for a in AUDITS)


@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_enough_runs_find_noise_too_little_and_far_fewer_do_not(epsilon: float) -> None:
    """By draws of the law itself: 60 audits, all but a few of which find it; false alarms of the 99 % below 1e-4."""
    attack, promise = attacks(parse_method("adaptive"))[2], Promise(epsilon)
    runs = enough(attack, promise, TWO, ERROR)
    assert not finds(attack, promise, TWO, runs // 2, ERROR)
    rng, claimed = np.random.default_rng(0), attack.claimed(promise)
    shift = TWO * np.sqrt(0.98) * claimed
    caught = [
        evidence(rng.standard_normal(runs) + shift, rng.standard_normal(runs), gaussian_mu, error=ERROR).lower > claimed
        for _ in range(60)
    ]
    assert sum(caught) >= 54


def test_a_bound_is_shown_as_the_epsilon_that_its_mu_stands_for() -> None:
    attack = attacks(parse_method("refined"))[0]
    assert as_epsilon(attack, gaussian.mu_for(3.0, 1e-7), PROMISE) == pytest.approx(3.0, rel=1e-6)
    assert as_epsilon(attack, -0.1, PROMISE) == 0.0


def test_sabotage_changes_the_verdict_and_only_where_it_is() -> None:
    """An edge forgotten is found out on that edge; the others hold. The same seed gives the same numbers."""
    method = parse_method("refined")
    ways = sabotages(method)
    assert list(ways) == ["half-noise", "published-sensitivity", "reused-seed", "dropped-words", "dropped-steps"]
    found = [Audit(method, PROMISE, runs=1200, sabotage=ways["dropped-words"], batches=2) for _ in range(2)]
    seen: list[float] = []
    verdicts = [audit.all(lambda fraction, line: seen.append(fraction)) for audit in found]
    assert verdicts[0][:2] == (Verdict.CAUGHT, Verdict.HOLDS)
    assert [tried.lower for tried in found[0].tried] == [tried.lower for tried in found[1].tried]
    assert seen[:6] == sorted(seen[:6])


def test_too_few_runs_decide_nothing_and_say_how_many_would() -> None:
    audit = Audit(parse_method("refined"), Promise(1.0), runs=100, batches=2)
    assert set(audit.all(lambda fraction, line: None)) == {Verdict.UNDECIDED}
    assert audit.needed(audit.tried[0]) > 1000


def test_the_gate_and_the_product_are_wrong_equally_seldom() -> None:
    assert Audit(parse_method("adaptive"), PROMISE, batches=20).error * 6 * 20 == pytest.approx(gate.FALSE_ALARM)


@pytest.mark.parametrize(
    "arguments", [("unnoised",), ("refined", "--sabotage", "last-bits"), ("refined", "--runs", "3")]
)
def test_what_cannot_be_audited_is_refused_in_words(arguments: tuple[str, ...], capsys) -> None:
    assert main(["audit", *arguments, "--epsilon", "10"]) == 2
    assert "must be" in capsys.readouterr().err


def test_promises_have_limits() -> None:
    for epsilon, delta in ((0.0, 1e-7), (1.0, 0.0)):
        with pytest.raises(InputError):
            Promise(epsilon, delta)


@pytest.mark.parametrize(
    ("epsilon", "sabotage", "status", "said"),
    [("10", None, 0, "holds"), ("10", "half-noise", 1, "caught"), ("1", None, 3, "undecided")],
)
def test_the_command_says_a_line_for_each_release(epsilon, sabotage, status, said, capsys) -> None:
    more = ["--sabotage", sabotage] if sabotage else []
    assert main(["audit", "refined", "--epsilon", epsilon, "--runs", "1600", *more]) == status
    shown = capsys.readouterr()
    for title in ("word counts", "a step", "a whole run"):
        line = next(line for line in shown.out.splitlines() if line.startswith(title))
        assert f"claims ε {epsilon}," in line
        assert said in line
    assert "proves nothing" in shown.out
    assert "100%" in shown.err
