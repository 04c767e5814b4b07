"""A released file is read only where the noise it names keeps its promise, and an honest one always is."""

import json
import math
import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import dplda
from dplda.core.errors import ReadError
from dplda.corpus import Selection
from dplda.evaluation.evidence import EvidenceCheck, ReleasedEvidence
from dplda.evaluation.knowledge import PriorUse
from dplda.methods.base.problem import Budget
from dplda.methods.registry import parse_method, releasable_methods
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.noise.exact import delta_of_noise
from dplda.privacy.release import Caveat, Guarantee, Status
from dplda.privacy.word_selection.thresholds import combine_with_fit, selection_thresholds
from dplda.release.artefact.artefact import Artefact, NoisyValueFacts
from dplda.release.artefact.file_format import checksum_of
from dplda.release.artefact.released_file import read_release, write_release
from dplda.release.publication.officer import render_officer_page
from dplda.release.publication.record import render_record
from dplda.release.report.page import render_report
from dplda.release.report.released import contents_of_release
from dplda.release.reuse.exports import summary

NUMBERS = [
    (epsilon, delta) for epsilon in (0.01, 1.0, 1.2345649, 12.0) for delta in (1e-15, 1e-7, 0.3)
]


def noisy(mu: float, times: int = 1, sensitivity: float = 2.8) -> NoisyValueFacts:
    return NoisyValueFacts(
        "word counts", (3,), "Gaussian", sensitivity, sensitivity / mu * (1 + 1e-15), mu, times
    )


def promised(epsilon: float, delta: float) -> Guarantee:
    caveats = (Caveat.DELTA,) if delta >= 1e-3 else ()
    return Guarantee(
        Status.PROVEN,
        epsilon,
        delta,
        caveats,
        Adjacency.REPLACE_ONE,
        ("one",),
        releasable=True,
        is_gaussian=True,
    )


def artefact(noisy_values: tuple[NoisyValueFacts, ...], epsilon: float, delta: float) -> Artefact:
    words = np.full((1, 3), 1 / 3)
    return Artefact(
        documents="letters",
        n_documents=1000,
        method="Refined",
        alpha0=1.0,
        n_topics=2,
        vocabulary=("tea", "milk", "sugar"),
        topics=words,
        word_frequencies=words[0],
        topic_shares=np.ones(1),
        lower=None,
        upper=None,
        evidence=None,
        noisy_values=noisy_values,
        guarantee=promised(epsilon, delta),
        guarantee_text="…",
        receipt_number="ab" * 32,
        released_at="2026-01-01T00:00:00.000+00:00",
        versions={},
    )


def thirds(epsilon: float, delta: float) -> tuple[NoisyValueFacts, ...]:
    """As a method does: a third of the budget once, the rest in four equal steps."""
    mu = gaussian.mu_for(epsilon, delta_of_noise(delta))
    return noisy(gaussian.mu_of_share(mu, 1 / 3)), noisy(gaussian.mu_of_share(mu, 1 / 6), times=4)


@pytest.mark.parametrize(("epsilon", "delta"), NUMBERS)
def test_release_file_that_promises_more_than_its_noise_is_refused(epsilon, delta) -> None:
    honest = artefact(thirds(epsilon, delta), epsilon, delta)
    assert read_release(write_release(honest), "a file").guarantee == honest.guarantee
    for cheaper_promise in ((epsilon, delta * 0.99), (epsilon * 0.99, delta))[
        : 2 if delta < 0.1 else 1
    ]:  # where ε matters
        cheaper = promised(*cheaper_promise)
        with pytest.raises(ReadError, match="promises more than its noise keeps"):
            read_release(write_release(replace(honest, guarantee=cheaper)), "a file")


@pytest.mark.parametrize(("epsilon", "delta"), NUMBERS)
@pytest.mark.parametrize(
    "words", [Selection(), Selection(2, 6.0, 0.01), Selection(9, 0.05, 1e-10)], ids=str
)
def test_release_file_with_selected_words_is_read_unless_it_lowers_its_delta(
    epsilon, delta, words
) -> None:
    """At most a quarter of the words' δ is for what passes, and no more can be taken off the promise's."""
    law = selection_thresholds(words)
    cost = combine_with_fit(words, epsilon=epsilon, delta=delta, gaussian_fit=True)
    word_weights = [
        NoisyValueFacts(
            "weights of words",
            (3,),
            "Gaussian",
            law.sensitivity,
            selection_law.noise_std,
            selection_law.mu,
            1,
        )
        for selection_law in (law.first, law.second)
    ]
    honest = artefact((*word_weights, *thirds(epsilon, delta)), *cost)
    assert read_release(write_release(honest), "a file").guarantee == honest.guarantee
    with pytest.raises(ReadError, match="promises more"):
        read_release(
            write_release(replace(honest, guarantee=promised(cost[0], cost[1] * 0.74))), "a file"
        )


FORGERIES: dict[str, Callable[[dict], object]] = {
    "nothing was drawn": lambda file: file["drawn"].clear(),
    "nothing was drawn, for next to nothing": lambda file: (
        file["drawn"].clear(),
        file["promise"].update(epsilon=0.001),
    ),
    "a smaller ε": lambda file: file["promise"].update(epsilon=0.001),
    "no ε": lambda file: file["promise"].update(epsilon=0),
    "no δ": lambda file: file["promise"].update(delta=0.0),
    "a smaller μ": lambda file: file["drawn"][0].update(mu=file["drawn"][0]["mu"] * (1 - 1e-6)),
    "a larger sensitivity": lambda file: file["drawn"][1].update(sensitivity=2.9),
    "less noise": lambda file: file["drawn"][1].update(scale=file["drawn"][1]["scale"] / 2),
    "a sensitivity below nothing": lambda file: file["drawn"][0].update(sensitivity=-1.0, mu=0.0),
    "a scale below nothing": lambda file: file["drawn"][0].update(scale=-1.0, mu=0.0),
    "drawn once more": lambda file: file["drawn"][1].update(times=5),
    "never drawn": lambda file: file["drawn"][1].update(times=0),
    "drawn one and a half times": lambda file: file["drawn"][1].update(times=1.5),
}
NONSENSE: dict[str, Callable[[dict], object]] = {
    "ε below nothing": lambda file: file["promise"].update(epsilon=-1.0),
    "a protection nobody knows": lambda file: file["promise"].update(protected="replace nobody"),
    "words for numbers": lambda file: file["drawn"][0].update(mu="0.2"),
    "a μ beyond all numbers": lambda file: file["drawn"][0].update(mu=10**400),
    "a μ whose square is": lambda file: file["drawn"][0].update(mu=1e200),
    "a shape in words": lambda file: file["drawn"][0].update(shape=["x"]),
    "versions of nothing": lambda file: file.update(versions=None),
    "half a character": lambda file: file.update(documents="\ud800"),
    "a promise that rests on nothing": lambda file: file["promise"].update(rests_on=[None]),
}


@pytest.mark.parametrize("name", [*FORGERIES, *NONSENSE])
def test_release_file_with_a_forged_guarantee_is_refused_despite_its_checksum(name: str) -> None:
    file_content = json.loads(write_release(artefact(thirds(1.0, 1e-6), 1.0, 1e-6)))
    {**FORGERIES, **NONSENSE}[name](file_content["release"])
    file_content["checksum"] = checksum_of(file_content["release"])
    reason = (
        "promises more than its noise keeps" if name in FORGERIES else "is not a complete release"
    )
    with pytest.raises(ReadError, match=reason):
        read_release(json.dumps(file_content).encode(), "a file")


def test_report_of_a_lying_file_states_the_checked_numbers() -> None:
    epsilon = 1.2345649
    lying = artefact(thirds(epsilon, 1e-6), epsilon, 1e-6)
    lying = replace(lying, guarantee_text="(ε = 0.001, δ = 0)-differentially private")
    report = render_report(contents_of_release(read_release(write_release(lying), "a file")))
    assert "This page is not signed" in report
    assert f"(ε = {format_rounded_up(epsilon)}, δ = 1e-6)-differentially private" in report
    assert math.isclose(float(format_rounded_up(epsilon)), 1.24)
    assert "0.001" not in report


def test_epsilon_of_a_release_is_one_number_on_every_surface() -> None:
    """A report said ε = 5.16026 in one line, and 5.17 in others."""
    release = artefact(thirds(5.16025, 1.234e-7), 5.16025, 1.234e-7)
    texts = (
        render_report(contents_of_release(release)),
        render_officer_page(release),
        render_record(release),
        summary(release),
        release.guarantee.in_words(),
        release.guarantee.describe_parameters(),
    )
    for text in texts:
        assert "5.17" in text
        assert re.search(r"1\.24e-0?7", text)
        assert "5.16" not in text


def test_files_keep_the_key_under_which_they_left() -> None:
    """Evidence takes the place of distances from the unigram; a file that holds them has the SHA-256 of before."""
    honest = replace(artefact(thirds(1.0, 1e-7), 1.0, 1e-7), told_apart=np.array([7.5]))
    file = write_release(honest)
    keys = list(json.loads(file)["release"])
    assert keys.index("told_apart") == keys.index("upper") + 1
    reread = read_release(file, "a file")
    assert reread.told_apart is not None
    assert reread.told_apart.tolist() == [7.5]
    assert write_release(reread) == file
    evidence = ReleasedEvidence(2.0, 0.1, 50.0, 0.1, np.array([0.9]), 0.05)
    file = write_release(replace(honest, told_apart=None, evidence=evidence))
    assert "told_apart" not in json.loads(file)["release"]
    assert vars(read_release(file, "a file").evidence) == vars(evidence)
    for damage in (
        {"by_topic": np.ones(2)},
        {"gain_noise": -1.0},
        {"topic_noise": -1.0},
        {"length": 0.0},
    ):
        with pytest.raises(ReadError):
            read_release(
                write_release(replace(honest, evidence=replace(evidence, **damage))), "a file"
            )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (name, value)
        for name in ("topics", "word_frequencies", "topic_shares", "lower", "upper", "prior_topics")
        for value in (math.inf, -math.inf, -1e-3, 1.5)
    ],
)
def test_read_refuses_topics_that_are_no_probabilities(name: str, value: float) -> None:
    honest = artefact(thirds(1.0, 1e-6), 1.0, 1e-6)
    table = PriorUse("a table", "ab" * 32, True, True, True, 0.5)
    ranges = {"lower": honest.topics / 2, "upper": honest.topics * 2}
    full_release = replace(honest, **ranges, prior_topics=honest.topics, prior_use=table)
    assert read_release(write_release(full_release), "a file").topic_shares[0] == 1
    array = getattr(full_release, name).copy()
    array.flat[0] = value
    with pytest.raises(ReadError, match="not probabilities"):
        read_release(write_release(replace(full_release, **{name: array})), "a file")


def test_read_refuses_ranges_whose_ends_are_exchanged() -> None:
    honest = artefact(thirds(1.0, 1e-6), 1.0, 1e-6)
    release_with_exchanged_ends = replace(honest, lower=honest.topics * 2, upper=honest.topics / 2)
    with pytest.raises(ReadError, match="not probabilities"):
        read_release(write_release(release_with_exchanged_ends), "a file")


@pytest.mark.parametrize("method", [method.key for method in releasable_methods()])
def test_guarantee_of_every_releasable_method_is_gaussian_as_its_file_says(method) -> None:
    corpus = dplda.simulate(
        n_documents=50, n_words=20, n_topics=2, alpha0=1.0, mean_length=20, seed=0
    )
    assert parse_method(method).guarantee(corpus, Budget(1.0, 1e-7)).is_gaussian


CHECK = EvidenceCheck(
    is_significant=True, supported_topics=(0,), optimism=0.25, optimism_error=0.125
)


def compared(check: EvidenceCheck | None) -> Artefact:
    evidence = ReleasedEvidence(1.0, 0.1, 20.0, 0.1, np.array([0.5]), 0.05, check)
    return replace(artefact(thirds(1.0, 1e-7), 1.0, 1e-7), evidence=evidence)


@pytest.mark.parametrize(
    "check",
    [CHECK, replace(CHECK, optimism=-0.25), None],
    ids=["compared", "clipped", "written before"],
)
def test_check_of_evidence_comes_back_from_its_file(check) -> None:
    file = write_release(compared(check))
    evidence = read_release(file, "a file").evidence
    assert evidence is not None
    assert evidence.known_check == check
    assert evidence.is_better is (None if check is None else True)
    assert ("evidence_check" in json.loads(file)) is (check is not None)


@pytest.mark.parametrize(
    "change",
    [
        {"supported": [1]},
        {"supported": [0, 0]},
        {"significant": 1},
        {"significant": False},
        {"optimism_error": -1.0},
        {"optimism_error": "0"},
        {"more": 0},
    ],
    ids=str,
)
def test_check_of_evidence_that_cannot_be_is_refused(change) -> None:
    file = json.loads(write_release(compared(CHECK)))
    file["evidence_check"] |= change
    with pytest.raises(ReadError, match="damaged"):
        read_release(json.dumps(file).encode(), "a file")
    file["evidence_check_checksum"] = checksum_of(file["evidence_check"], prefix=file["checksum"])
    with pytest.raises(ReadError, match="not a complete release"):
        read_release(json.dumps(file).encode(), "a file")
