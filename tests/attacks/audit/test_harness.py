"""The harness as users meet it: verdicts that mean something, sabotage that is caught, refusals, exit codes."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from dplda.attacks.audit.attack import Attack
from dplda.attacks.audit.audited import (
    KNOWN,
    attacks_on,
    audited_methods,
    reasons_without_audit,
    sabotages_of,
)
from dplda.attacks.audit.evidence import bound_loss, gaussian_mu
from dplda.attacks.audit.harness import TWO, Audit, Verdict, has_power, runs_needed
from dplda.attacks.audit.neighbours import N_COPIES, make_corpus, one_word_neighbors
from dplda.attacks.audit.promise import make_promise
from dplda.attacks.audit.sabotage import BY_DOCUMENT
from dplda.cli.main import main
from dplda.core.errors import InputError
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.registry import METHODS, parse_method
from dplda.privacy.release import Status
from tests.attacks.audit import gate

PROMISE = make_promise(10.0)
WIDE = gate.SAMPLED  # at which there is something to see of random minibatches
ERROR = 1e-7


def test_audited_methods_are_the_proven_ones_in_all_their_releases() -> None:
    audited = audited_methods()
    assert set(audited) == {
        text for text, method in METHODS.items() if method.status is Status.PROVEN
    }
    assert sum(len(attacks_on(method)) for method in audited.values()) == len(KNOWN)


def test_method_without_audit_gives_its_reason() -> None:
    audited = audited_methods()
    assert set(audited) | set(reasons_without_audit()) == set(METHODS)
    assert not set(audited) & set(reasons_without_audit())
    assert all(reasons_without_audit().values())


def test_new_method_without_worst_cases_is_listed_as_not_audited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(
        METHODS, "toy", replace(parse_method("refined"), spec=MethodSpec(name="toy"))
    )
    assert reasons_without_audit()["toy"] == "its worst-case neighbors are not known yet"
    with pytest.raises(InputError, match="worst-case neighbors are not known yet"):
        Audit(parse_method("toy"), PROMISE)


def test_neighbors_of_persons_differ_in_all_documents_of_one_person() -> None:
    first_corpus, second_corpus = (
        make_corpus(rows, persons=True) for rows in one_word_neighbors(0, 1, 2, 2, n_words=3)
    )
    assert first_corpus.of_persons
    for first_side, second_side, n_apart in (
        (first_corpus, second_corpus, 1),
        (first_corpus.as_read, second_corpus.as_read, N_COPIES),
    ):
        assert (
            np.count_nonzero(np.diff((first_side.counts != second_side.counts).tocsr().indptr))
            == n_apart
        )
    assert (
        first_corpus.n_documents
        == 3
        == make_corpus(one_word_neighbors(0, 1, 2, 2, n_words=3)[0]).n_documents
    )


EVERY_ATTACK = [attack for method in audited_methods().values() for attack in attacks_on(method)]


@pytest.mark.parametrize(
    "attack", [attack for attack in EVERY_ATTACK if attack.edge != "evidence"], ids=str
)
def test_attack_on_a_person_scores_as_on_one_document(attack: Attack) -> None:
    """Number for number: of a person who repeats a document, the worst neighbours are those of the document.

    Except for evidence, whose halves follow a hash of all that one wrote: another document is the worst there.
    """
    of_one, of_persons = (
        attack.sample_scores(promise, 5)
        for promise in (WIDE, make_promise(WIDE.epsilon, persons=True))
    )
    for document, person in zip(of_one, of_persons, strict=True):
        np.testing.assert_allclose(
            person, document, rtol=1e-6, atol=1e-9 * np.max(np.abs(document))
        )


@pytest.mark.parametrize("text", audited_methods())
def test_audit_of_persons_catches_documents_counted_one_by_one(text: str, monkeypatch) -> None:
    """Three times as far apart, with the runs that find noise over 2."""
    monkeypatch.setattr(
        "dplda.attacks.audit.harness.N_PAIRS", 0
    )  # what is caught is caught by runs
    method, promise = (
        parse_method(text),
        make_promise(2.0 if "Laplace" in text else WIDE.epsilon, persons=True),
    )
    assert BY_DOCUMENT in sabotages_of(method, promise).values()
    assert BY_DOCUMENT not in sabotages_of(method, PROMISE).values()
    audit = Audit(
        method,
        promise,
        runs=gate.RUNS_LAPLACE[gate.TWO] if "Laplace" in text else 600,
        batches=1,
        sabotage=BY_DOCUMENT,
    )
    assert Verdict.CAUGHT in verdicts_in_turn(audit)


def verdicts_in_turn(audit: Audit) -> Iterator[Verdict]:
    """Of an audit with one batch: each release has all its runs only once it is asked for."""
    for result in audit.results:
        audit.step()
        yield audit.verdict(result)


@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_runs_needed_find_too_little_noise_where_half_lack_power(epsilon: float) -> None:
    """By draws of the law itself: 60 audits, all but a few of which find it; false alarms of the 99 % below 1e-4."""
    attack, promise = attacks_on(parse_method("adaptive"))[2], make_promise(epsilon)
    runs = runs_needed(attack, promise, TWO, ERROR)
    assert not has_power(attack, promise, TWO, runs // 2, ERROR)
    rng, claimed = np.random.default_rng(0), attack.claimed_loss(promise)
    shift = TWO * np.sqrt(0.98) * claimed
    caught = [
        bound_loss(
            rng.standard_normal(runs) + shift, rng.standard_normal(runs), gaussian_mu, error=ERROR
        ).lower
        > claimed
        for _ in range(60)
    ]
    assert sum(caught) >= 54


@pytest.mark.usefixtures("few_pairs")
def test_sabotages_of_a_method_cover_each_of_its_edges() -> None:
    method = parse_method("refined")
    ways = sabotages_of(method, PROMISE)
    dropped = [
        "dropped-words",
        "dropped-steps",
        "dropped-evidence",
        "last-bits",
        "sampled-sensitivity",
    ]
    chained = ["parent-not-charged", "noise-used-again"]
    assert list(ways) == ["half-noise", "published-sensitivity", "reused-seed", *dropped, *chained]


@pytest.mark.usefixtures("few_pairs")
def test_sabotage_of_one_edge_is_caught_on_that_edge_alone() -> None:
    """An edge forgotten is found out on that edge; the others hold. The same seed gives the same numbers."""
    method = parse_method("refined")
    ways = sabotages_of(method, PROMISE)
    first_audit, second_audit = (
        Audit(method, PROMISE, runs=1200, sabotage=ways["dropped-words"], batches=2)
        for _ in range(2)
    )
    fractions_told: list[float] = []
    assert first_audit.run_all(lambda fraction, line: fractions_told.append(fraction))[:2] == (
        Verdict.CAUGHT,
        Verdict.HOLDS,
    )
    assert len(fractions_told) == 10
    assert fractions_told == sorted(fractions_told)
    for first_result, second_result in zip(first_audit.results, second_audit.results, strict=True):
        second_audit.step()
        assert first_result.bounds[0] == second_result.bounds[0]


@pytest.mark.usefixtures("few_pairs")
def test_audit_with_too_few_runs_is_undecided_short_of_the_runs_needed() -> None:
    audit = Audit(parse_method("private-unigram"), make_promise(1.0), runs=100, batches=2)
    assert set(audit.run_all(lambda fraction, line: None)) == {Verdict.UNDECIDED}
    assert audit.runs_for_half_noise(audit.results[0]) > 1000


def test_audit_error_over_all_batches_equals_the_false_alarm_of_the_gate() -> None:
    assert Audit(parse_method("adaptive"), PROMISE, batches=20).error * 8 * 21 == pytest.approx(
        gate.FALSE_ALARM
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("unnoised",),
        ("refined", "--sabotage", "no-sampling"),
        ("dp-vi", "--noise", "exact"),
        ("refined", "--runs", "3"),
    ],
)
def test_audit_command_with_unusable_arguments_is_refused(
    arguments: tuple[str, ...], capsys
) -> None:
    assert main(["audit", *arguments, "--epsilon", "10"]) == 2
    assert "must be" in capsys.readouterr().err


@pytest.mark.usefixtures("few_pairs")
@pytest.mark.parametrize(
    ("method", "epsilon", "runs", "sabotage", "status", "finding"),
    [
        ("refined", "10", "800", None, 0, "holds"),
        ("private-unigram", "10", "500", "half-noise", 1, "caught"),
        ("private-unigram", "1", "100", None, 3, "undecided"),
    ],
)
def test_audit_command_prints_a_line_for_each_release(
    method, epsilon, runs, sabotage, status, finding, capsys
) -> None:
    sabotage_options = ["--sabotage", sabotage] if sabotage else []
    assert (
        main(["audit", method, "--epsilon", epsilon, "--runs", runs, *sabotage_options]) == status
    )
    printed = capsys.readouterr()
    for attack in attacks_on(parse_method(method)):
        line = next(line for line in printed.out.splitlines() if line.startswith(attack.title))
        assert attack.attained_share < 1 or f"claims ε {epsilon}," in line
        assert finding in line
    assert "proves nothing" in printed.out
    assert "100%" in printed.err
