"""What may be claimed of a run, and what may not."""

import math

import pytest

from dplda import Corpus, Plan
from dplda.configurations.adaptive import ADAPTIVE
from dplda.configurations.route import Calibration
from dplda.corpus import Label, VocabularySource
from dplda.guarantees import guarantee_of
from dplda.pipeline import fit
from dplda.privacy.gaussian import mu_for
from dplda.privacy.mechanisms import Label as Quantity
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise import NoNoise, SimulatedNoise
from dplda.privacy.release import Release, Status
from tests.tiny_corpora import random_rows

PLAN = Plan("adaptive", 1.0, 1e-7)
ROWS = random_rows(0, n_documents=20, n_words=4, longest=9)


def corpus(label: Label, source: VocabularySource) -> Corpus:
    return Corpus.from_counts(ROWS, ("a", "b", "c", "e"), label=label, name="x", vocabulary_source=source)


def spending(*mus: float, source: SimulatedNoise | NoNoise | None = None) -> tuple[Release, ...]:
    mechanisms = Mechanisms(source or SimulatedNoise(0))
    for mu in mus:
        mechanisms.number(Quantity("e2", "count", "n"), 1.0, sensitivity=1.0, mu=mu)
    return mechanisms.releases


WHOLE = mu_for(1.0, 1e-7)
FIXED = corpus(Label.PUBLIC, VocabularySource.FIXED)


def test_a_run_within_its_budget_is_proven() -> None:
    found = guarantee_of(PLAN, FIXED, spending(0.6 * WHOLE, 0.8 * WHOLE))
    assert (found.status, found.epsilon, found.delta) == (Status.PROVEN, 1.0, 1e-7)
    assert set(ADAPTIVE.variants[Calibration.CORRECTED].rests_on) <= set(found.rests_on)


@pytest.mark.parametrize("mus", [(1.001,), (0.8, 0.61), (0.5, 0.5, 0.5, 0.5, 0.1)])
def test_a_run_that_spent_more_than_its_plan_claims_nothing(mus: tuple[float, ...]) -> None:
    with pytest.raises(RuntimeError, match="exceed the plan's budget"):
        guarantee_of(PLAN, FIXED, spending(*(mu * WHOLE for mu in mus)))


def test_a_run_that_spends_too_much_cannot_end_in_a_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dplda.privacy.gaussian.share", lambda mu, fraction: 1.2 * math.sqrt(fraction) * mu)
    with pytest.raises(RuntimeError, match="exceed the plan's budget"):
        fit(FIXED, PLAN, n_topics=2, alpha0=1.0, noise=SimulatedNoise(1))


def test_no_plan_is_not_private() -> None:
    found = guarantee_of(None, FIXED, ())
    assert (found.status, found.epsilon, found.delta) == (Status.NOT_PRIVATE, math.inf, 1.0)
    assert found.in_words() == "Not private: no noise was added."


def test_one_release_without_noise_is_enough_to_be_not_private() -> None:
    mixed = spending(0.1 * WHOLE) + spending(0.1 * WHOLE, source=NoNoise())
    found = guarantee_of(PLAN, FIXED, mixed)
    assert (found.status, found.epsilon) == (Status.NOT_PRIVATE, math.inf)
    assert "switched off" in found.in_words()


def test_a_vocabulary_taken_from_sensitive_documents_is_not_private() -> None:
    found = guarantee_of(PLAN, corpus(Label.SENSITIVE, VocabularySource.FROM_DATA), spending(0.1 * WHOLE))
    assert (found.status, found.epsilon, found.delta) == (Status.NOT_PRIVATE, math.inf, 1.0)
    assert "vocabulary" in found.in_words()


def test_a_fixed_vocabulary_keeps_a_sensitive_corpus_proven() -> None:
    found = guarantee_of(PLAN, corpus(Label.SENSITIVE, VocabularySource.FIXED), spending(0.1 * WHOLE))
    assert found.status is Status.PROVEN


def test_a_vocabulary_taken_from_public_documents_is_said() -> None:
    found = guarantee_of(PLAN, corpus(Label.PUBLIC, VocabularySource.FROM_DATA), spending(0.1 * WHOLE))
    assert found.status is Status.PROVEN
    assert any("vocabulary was taken from this corpus" in reason for reason in found.rests_on)


@pytest.mark.parametrize("label", Label)
@pytest.mark.parametrize("source", VocabularySource)
def test_simulated_noise_is_never_releasable_and_says_why(label: Label, source: VocabularySource) -> None:
    for plan in (None, PLAN):
        assert not guarantee_of(plan, corpus(label, source), spending(0.1 * WHOLE)).releasable
    noisy = guarantee_of(PLAN, corpus(label, source), spending(0.1 * WHOLE))
    assert any("simulated" in reason for reason in noisy.rests_on)
