"""What may be said of a mechanism, and what of one draw of it: every sentence that a badge can show."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from dplda import Corpus, Plan
from dplda.corpus import Label, Selection, VocabularySource
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.problem import Budget, Origin, Problem
from dplda.methods.configurations.chain.guarantees import guarantee_of_plan
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.registry import METHODS
from dplda.privacy.accounting.gaussian import mu_for
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.keys import SecretKey
from dplda.privacy.noise.sources import NoiseSource, NoNoise, SimulatedNoise
from dplda.privacy.release import Caveat, Guarantee, Release, Status
from tests.privacy.sources import seeded
from tests.tiny_corpora import random_rows

PLAN = Plan("adaptive", 1.0, 1e-7)
PUBLISHED = Plan("config-1", 1.0, 1e-7, calibration=Calibration.PUBLISHED)
ROWS = random_rows(0, n_documents=20, n_words=4, longest=9)
WHOLE = mu_for(1.0, 1e-7)

PROVEN = "Proven: (ε = 1, δ = 1e-7)-differentially private when one document is replaced."
PRINTED = "As published: meant to be (ε = 1, δ = 1e-7)-differentially private; the published proof has a known gap."
OFF = "Not private: the noise was switched off or came from an unknown source."
NONE = "Not private: no noise was added."
SIMULATED = " This draw is simulated, for exploring only."
SEED = " Noise from a seed that was chosen or seen: not private."
VOCABULARY = " Vocabulary from the documents: not private."
SPLIT = " Split chosen on these documents: not private."


def corpus(label: Label, source: VocabularySource = VocabularySource.FIXED) -> Corpus:
    return Corpus.from_counts(
        ROWS, ("a", "b", "c", "e"), label=label, name="x", vocabulary_source=source
    )


def secret() -> SimulatedNoise:
    return SimulatedNoise(SecretKey(()))


def spending(*mus: float, source: NoiseSource | None = None) -> tuple[Release, ...]:
    mechanisms = Mechanisms(source or seeded(0))
    for mu in mus:
        mechanisms.number(Quantity("count", "n", "count", "e2"), 1.0, sensitivity=1.0, mu=mu)
    return mechanisms.releases


def said(
    plan: Plan | None,
    label: Label,
    source: NoiseSource,
    vocabulary: VocabularySource,
    origin: Origin,
) -> Guarantee:
    """What a run of one release says."""
    if plan is not None:
        plan = Plan(
            plan.configuration, 1.0, 1e-7, calibration=plan.calibration, law=plan.law, chosen=origin
        )
    return guarantee_of_plan(plan, corpus(label, vocabulary), spending(0.1 * WHOLE, source=source))


SOURCES = {"seed": seeded(0), "secret": secret(), "off": NoNoise()}
UNSELECTED = [
    source for source in VocabularySource if source is not VocabularySource.SELECTED
]  # in test_partition


@pytest.mark.parametrize(
    ("plan", "label", "source", "vocabulary", "origin"),
    [*product([PLAN, PUBLISHED, None], Label, SOURCES, UNSELECTED, Origin)],
)
def test_guarantee_in_words_states_every_combination(
    plan, label, source, vocabulary, origin
) -> None:
    """What it says of mechanism, label, noise, vocabulary and split is written out here once more."""
    guarantee = said(plan, label, SOURCES[source], vocabulary, origin)
    if plan is None or source == "off":
        assert guarantee.in_words() == (NONE if plan is None else OFF)
        assert (guarantee.mechanism, guarantee.status, guarantee.epsilon) == (
            Status.NOT_PRIVATE,
            Status.NOT_PRIVATE,
            math.inf,
        )
        return
    broken = [
        *([SEED] if label is Label.SENSITIVE and source == "seed" else []),
        *([VOCABULARY] if vocabulary is not VocabularySource.FIXED else []),
        *([SPLIT] if origin is Origin.DOCUMENTS else []),
    ]
    assert (
        guarantee.in_words() == (PROVEN if plan is PLAN else PRINTED) + "".join(broken) + SIMULATED
    )
    mechanism = Status.PROVEN if plan is PLAN else Status.AS_PUBLISHED
    assert guarantee.mechanism is mechanism
    assert guarantee.status is (Status.NOT_PRIVATE if broken else mechanism)
    assert (guarantee.epsilon, guarantee.delta) == ((math.inf, 1.0) if broken else (1.0, 1e-7))
    assert not guarantee.releasable
    assert any("simulated in floating point" in sentence for sentence in guarantee.rests_on)
    seed_phrase = (
        "anyone who knows the seed" if source == "seed" else "kept only in memory and used once"
    )
    assert any(seed_phrase in sentence for sentence in guarantee.rests_on)


@pytest.mark.parametrize("label", Label)
def test_guarantee_of_plan_before_a_fit_equals_that_of_the_fit(label: Label) -> None:
    """Before anything is drawn, the noise is expected to be keyed as the corpus asks for."""
    large_corpus = Corpus.from_counts(
        np.tile(ROWS, (500, 1)), label=label, name="x", vocabulary_source=VocabularySource.FIXED
    )
    fitted_run = fit_spectral(large_corpus, PLAN, Problem(2, 1.0))
    assert guarantee_of_plan(PLAN, large_corpus, ()) == fitted_run.guarantee


@pytest.mark.parametrize("mus", [(1.001,), (0.8, 0.61), (0.5, 0.5, 0.5, 0.5, 0.1)])
def test_guarantee_of_plan_of_a_run_that_overspent_raises(mus: tuple[float, ...]) -> None:
    with pytest.raises(RuntimeError, match="exceed the plan's budget"):
        guarantee_of_plan(PLAN, corpus(Label.PUBLIC), spending(*(mu * WHOLE for mu in mus)))


def test_configuration_2_is_checked_against_what_is_left_of_delta() -> None:
    """A tenth of δ is set aside for its private bounds: all of μ(ε, δ) is more than it may spend."""
    plan = Plan("config-2", 1.0, 1e-7)
    mu_left = mu_for(1.0, 0.9e-7)
    assert mu_left < WHOLE
    assert guarantee_of_plan(plan, corpus(Label.PUBLIC), spending(mu_left)).status is Status.PROVEN
    for spent_mu in (WHOLE, mu_left * (1 + 1e-9)):
        with pytest.raises(RuntimeError, match="exceed the plan's budget"):
            guarantee_of_plan(plan, corpus(Label.PUBLIC), spending(spent_mu))


def test_guarantee_with_a_release_without_noise_is_not_private() -> None:
    releases = spending(0.1 * WHOLE) + spending(0.1 * WHOLE, source=NoNoise())
    guarantee = guarantee_of_plan(PLAN, corpus(Label.PUBLIC), releases)
    assert (guarantee.status, guarantee.epsilon) == (Status.NOT_PRIVATE, math.inf)
    assert "switched off" in guarantee.in_words()


def test_guarantee_on_sensitive_documents_with_a_seeded_release_is_not_private() -> None:
    releases = spending(0.1 * WHOLE, source=secret()) + spending(0.1 * WHOLE)
    guarantee = guarantee_of_plan(PLAN, corpus(Label.SENSITIVE), releases)
    assert guarantee.caveats == (Caveat.SEED, Caveat.SIMULATED)
    assert guarantee.status is Status.NOT_PRIVATE


@pytest.mark.parametrize(
    "method", [name for name, method in METHODS.items() if method.status is Status.PROVEN]
)
def test_guarantee_of_persons_never_speaks_of_one_document(method: str) -> None:
    """Whatever the method, and whether words were selected or not."""
    budget = Budget(1.0, 1e-7)
    persons = Corpus.from_counts(
        ROWS, label=Label.PUBLIC, name="mail", persons=np.arange(20) // 2
    ).by_person()
    for selection, source in (
        (None, VocabularySource.FIXED),
        (Selection(), VocabularySource.SELECTED),
    ):
        promise = METHODS[method].guarantee(
            replace(persons, selection=selection, vocabulary_source=source), budget
        )
        all_sentences = " ".join((promise.in_words(), *promise.rests_on))
        assert "all documents of one person" in all_sentences
        assert "one document" not in all_sentences.replace("read as one document", "")
        assert "replaced document" not in all_sentences
        assert "number of documents" not in all_sentences
        assert "numbers of documents" not in all_sentences
