"""Verdict before a release: three words from public numbers, and what would change them."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.registry import parse_method, parse_method_spec
from dplda.release.verdict.remedies import find_remedies
from dplda.release.verdict.request_numbers import ExpectedTexts, foresee_method, numbers_of
from dplda.release.verdict.signal_strength import (
    PublicNumbers,
    count_mixed_documents,
    estimate_signal,
    estimate_signal_beside_table,
)
from dplda.release.verdict.verdict import (
    BORDERS,
    WEAK_OUTCOMES,
    WEAK_OUTCOMES_BESIDE_TABLE,
    CountedOutcomes,
    Readability,
    foresee,
)
from dplda.release.verdict.word_count import MAX_WORDS, min_words, suggest_word_count

EPSILONS = (0.3, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 10.0)
MESSAGES = PublicNumbers(
    n_rows=2000, n_words=300, n_topics=6, alpha0=0.1, epsilon=3.0, delta=1e-7, mean_length=22
)
PEOPLE = replace(MESSAGES, n_rows=805, documents_per_row=2.5)


@pytest.mark.parametrize(
    ("numbers", "n_words", "epsilon", "themes"),
    [  # themes of six found in 2,000 real messages of 805 people, two or three draws each
        (MESSAGES, 6846, 3.0, (3, 4)),
        (MESSAGES, 1000, 1.0, (2, 2)),
        (MESSAGES, 300, 1.0, (2, 3)),
        (MESSAGES, 6846, 1.0, (0, 0)),
        (PEOPLE, 300, 3.0, (2, 3)),
        (PEOPLE, 3000, 3.0, (1, 1)),
        (PEOPLE, 6846, 3.0, (1, 0)),
        (PEOPLE, 300, 1.0, (0, 0)),
    ],
)
def test_foresee_with_real_messages_agrees_with_themes_found(
    numbers, n_words, epsilon, themes
) -> None:
    verdict = foresee(replace(numbers, n_words=n_words, epsilon=epsilon)).readability
    mean_fraction = sum(themes) / 2 / 6
    outcome = Readability.WEAK
    if mean_fraction <= 1 / 6:
        outcome = Readability.NOTHING
    elif mean_fraction >= 2 / 3:
        outcome = Readability.READABLE
    assert verdict is outcome


@pytest.mark.parametrize(
    ("n_rows", "epsilon", "verdict"),
    [
        (300, 0.3, Readability.NOTHING),
        (2_000, 1.0, Readability.WEAK),
        (100_000, 1.0, Readability.READABLE),
    ],
)
def test_foresee_with_more_documents_rises(n_rows, epsilon, verdict) -> None:
    numbers = replace(MESSAGES, n_rows=n_rows, epsilon=epsilon)
    assert foresee(numbers).readability is verdict


@pytest.mark.parametrize(
    ("name", "larger", "power"),
    [
        ("n_rows", 8000, 1.0),
        ("n_words", 4800, -0.25),
        ("n_topics", 12, -0.75),
        ("mean_length", 88.0, 1 / 3),
        ("documents_per_row", 4.0, 1 / 3 - math.log(3 / math.log(4), 4)),
    ],
)
def test_estimate_signal_follows_its_formula(name, larger, power) -> None:
    ratio = larger / getattr(MESSAGES, name)
    signal_before, signal_after = (
        estimate_signal(MESSAGES),
        estimate_signal(replace(MESSAGES, **{name: larger})),
    )
    assert signal_after / signal_before == pytest.approx(ratio**power)


@pytest.mark.parametrize("mean", [1.0, 1.001, 2.5, 20.0])
def test_count_mixed_documents_is_the_harmonic_mean_of_geometric_numbers(mean: float) -> None:
    numbers = np.arange(1, 2000)
    chances = (1 - 1 / mean) ** (numbers - 1) / mean
    assert count_mixed_documents(mean) == pytest.approx(1 / (chances @ (1 / numbers)), rel=1e-9)


@pytest.mark.parametrize(
    ("name", "better", "worse"),
    [
        ("n_rows", 3000, 1000),
        ("epsilon", 6.0, 1.0),
        ("mean_length", 60.0, 8.0),
        ("n_words", 150, 6000),
        ("n_topics", 3, 20),
        ("alpha0", 0.01, 2.0),
        ("documents_per_row", 1.0, 6.0),
    ],
)
@pytest.mark.parametrize("has_table", [False, True])
def test_foresee_never_falls_with_a_number_that_helps(name, better, worse, has_table) -> None:
    start = replace(MESSAGES, documents_per_row=2.0, n_words=1000, has_table=has_table)
    for n_rows in (300, 1000, 3000, 10_000, 30_000):
        numbers = start if name == "n_rows" else replace(start, n_rows=n_rows)
        ranks = [
            foresee(replace(numbers, **{name: value})).readability.rank for value in (worse, better)
        ]
        assert ranks[0] <= ranks[1]


def test_foresee_beside_a_table_without_a_readable_topic_foretells_its_own() -> None:
    numbers = replace(MESSAGES, n_rows=300)
    assert not foresee(numbers).is_table_alone
    verdict = foresee(replace(numbers, has_table=True))
    assert verdict.readability is Readability.NOTHING
    assert verdict.is_table_alone
    assert "the table's own topics" in verdict.describe()


def test_foresee_beside_a_table_that_replaces_weak_topics_offers_to_leave_it_out() -> None:
    numbers = replace(MESSAGES, n_rows=600)
    assert foresee(numbers).readability is Readability.WEAK
    numbers = replace(numbers, has_table=True)
    assert foresee(numbers).is_table_alone
    remedies = find_remedies(numbers, epsilons=EPSILONS)
    (without_table,) = (remedy for remedy in remedies if remedy.drops_table)
    assert without_table.readability is Readability.WEAK


def test_foresee_beside_a_table_never_replaces_readable_topics() -> None:
    assert BORDERS.table_alone < BORDERS.readable
    for numbers in (MESSAGES, PEOPLE, replace(MESSAGES, alpha0=5.0)):
        assert estimate_signal_beside_table(numbers) >= estimate_signal(numbers)


def test_foresee_beside_a_table_that_helps_steps_is_weak_in_place_of_nothing() -> None:
    numbers = replace(MESSAGES, n_rows=2200, epsilon=1.0, alpha0=9.0)
    assert foresee(numbers).readability is Readability.NOTHING
    verdict = foresee(replace(numbers, has_table=True))
    assert verdict.readability is Readability.WEAK
    assert not verdict.is_table_alone
    assert "may be the table's own topics" in verdict.describe()


@pytest.mark.parametrize(
    ("outcomes", "table"), [(WEAK_OUTCOMES, "none"), (WEAK_OUTCOMES_BESIDE_TABLE, "English")]
)
def test_outcomes_of_weak_are_those_that_the_benchmark_counted(
    outcomes: CountedOutcomes, table: str
) -> None:
    results = Path(__file__).parents[3] / "benchmarks" / "results" / "verdict-outcomes.json"
    rows = json.loads(results.read_text("utf-8"))["rows"]
    (row,) = (
        row
        for row in rows
        if (row["kind"], row["table"], row["verdict"]) == ("twins and corpora", table, "weak")
    )
    counted_outcomes = CountedOutcomes(
        n_readable=row["readable"], n_weak=row["weak"], n_nothing=row["nothing"]
    )
    assert outcomes == counted_outcomes


def test_foresee_weak_says_the_chances_of_each_outcome() -> None:
    verdict = foresee(replace(MESSAGES, n_rows=600))
    assert verdict.readability is Readability.WEAK
    assert WEAK_OUTCOMES.describe() in verdict.describe()
    assert foresee(replace(MESSAGES, n_rows=50)).outcomes is None
    assert foresee(replace(MESSAGES, n_rows=50_000)).outcomes is None


def test_foresee_beside_a_table_where_steps_pay_is_as_without_it() -> None:
    numbers = replace(MESSAGES, n_rows=20_000)
    assert foresee(numbers).readability is Readability.READABLE
    assert foresee(replace(numbers, has_table=True)) == foresee(numbers)


def test_remedies_of_people_name_each_kind_of_change() -> None:
    remedies = find_remedies(replace(PEOPLE, n_words=3000), epsilons=EPSILONS, n_documents=2000)
    described = {remedy.describe() for remedy in remedies}
    assert {"a list of 600 words", "protect documents, not persons"} <= described
    assert any(text.startswith("ε = ") for text in described)


@pytest.mark.parametrize("numbers", [MESSAGES, PEOPLE, replace(PEOPLE, n_words=6846, epsilon=0.3)])
def test_remedies_lead_to_the_verdict_that_they_name(numbers) -> None:
    present_verdict = foresee(numbers).readability
    for remedy in find_remedies(numbers, epsilons=EPSILONS, n_documents=2000):
        assert foresee(remedy.numbers).readability is remedy.readability
        assert remedy.readability.rank > present_verdict.rank


def test_remedies_of_readable_topics_are_none() -> None:
    assert find_remedies(replace(MESSAGES, n_rows=50_000), epsilons=EPSILONS) == ()


def test_suggested_words_are_the_most_that_stay_readable() -> None:
    numbers = replace(MESSAGES, mean_length=30.0, epsilon=2.0)
    suggested = suggest_word_count(numbers)
    assert min_words(6) < suggested < MAX_WORDS
    assert foresee(replace(numbers, n_words=suggested)).readability is Readability.READABLE
    numbers_with_more_words = replace(numbers, n_words=math.ceil(1.1 * suggested))
    assert foresee(numbers_with_more_words).readability is Readability.WEAK


def test_suggested_words_leave_each_topic_words_to_be_read_by() -> None:
    assert suggest_word_count(PEOPLE) == min_words(6) == 300


def test_foresee_method_gives_one_word_list_no_verdict() -> None:
    assert foresee_method(parse_method("private-unigram"), MESSAGES) is None


def test_foresee_method_ranks_no_other_method_above_refined() -> None:
    numbers = replace(MESSAGES, n_rows=20_000, epsilon=1.0)
    refined = foresee_method(parse_method("refined"), numbers)
    outlook_of_other_method = foresee_method(parse_method("config-4/as published"), numbers)
    assert refined is not None
    assert outlook_of_other_method is not None
    assert outlook_of_other_method.readability.rank < refined.readability.rank


def test_numbers_of_documents_ignore_how_much_a_person_writes() -> None:
    experiment = Experiment(
        corpus=HeldDocuments(),
        method=parse_method_spec("refined"),
        problem=Problem(6, 0.1),
        budget=Budget(3.0, 1e-7),
    )
    texts = ExpectedTexts(mean_length=22, documents_per_person=9)
    numbers = numbers_of(experiment, n_rows=2000, n_words=300, protects_persons=False, texts=texts)
    assert numbers == MESSAGES


@pytest.mark.parametrize("name", ["mean_length", "documents_per_row"])
def test_public_numbers_below_one_are_refused(name) -> None:
    with pytest.raises(InputError, match="at least 1"):
        replace(MESSAGES, **{name: 0.5})


@pytest.mark.parametrize(("alpha0", "documents"), [(0.1, 1.0), (0.1, 3.0), (1.0, 5.0)])
def test_alpha0_of_a_person_matches_the_variance_of_mean_shares(alpha0, documents) -> None:
    shares = (0.5, 0.3, 0.2)
    alpha0_of_person = ExpectedTexts(documents_per_person=documents).alpha0_of_person(alpha0)
    for share in shares:
        variance_of_document = share * (1 - share) / (1 + alpha0)
        variance_of_person = share * (1 - share) / (1 + alpha0_of_person)
        assert variance_of_person == pytest.approx(variance_of_document / documents)
