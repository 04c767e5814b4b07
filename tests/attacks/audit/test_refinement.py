"""The gate for refinement and the private unigram: nothing is less private than it claims, and mutants are.

How errors are shared out and runs were chosen: tests/attacks/audit/gate.py.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from dplda.attacks.audit.evidence import Evidence, evidence
from dplda.attacks.audit.neighbours import among_empty
from dplda.attacks.audit.promise import MOST, AuditedPromise
from dplda.attacks.audit.refinement import DOCUMENTS, REFINED, UNIGRAM, RunAudit
from dplda.attacks.audit.sabotage import HALF, PUBLISHED, REUSED, Sabotage, without
from dplda.attacks.audit.worst_cases import AUDITS
from dplda.methods.full_batch_vi import refine as module
from dplda.methods.full_batch_vi.documents import Documents
from dplda.methods.full_batch_vi.flow import STATISTIC, WORDS
from dplda.methods.full_batch_vi.recipe import Recipe
from dplda.privacy import gaussian
from dplda.privacy.mechanisms import Mechanisms, stream
from tests.asking import called
from tests.attacks.audit import gate
from tests.attacks.audit.gate import ALL, DELTA, MU, ROOT_TWO, TWO
from tests.statistical.laws import ENOUGH, follows
from tests.tiny_corpora import corpus_of, topical_corpus

PROMISE = AuditedPromise(gaussian.epsilon_for(MU, DELTA), DELTA)
CHOICES = {"n_topics": 2, "alpha0": 1.0, "epsilon": PROMISE.epsilon, "delta": PROMISE.delta}
CLAIMED = gaussian.mu_for(PROMISE.epsilon, PROMISE.delta)
BY_TITLE = {audit.title: audit for audit in REFINED}
ALL_AUDITS = (*REFINED, *UNIGRAM)
every_audit = pytest.mark.parametrize("audit", ALL_AUDITS, ids=["word counts", "a step", "a whole run", "unigram"])


def found(audit: RunAudit, missing: str, sabotage: Sabotage | None = None) -> Evidence:
    one, two, _ = audit.seen(PROMISE, gate.RUNS_GAUSSIAN[missing], sabotage=sabotage)
    return evidence(one, two, audit.measure(PROMISE), error=gate.ERROR)


@every_audit
def test_it_is_no_less_private_than_it_claims(audit: RunAudit) -> None:
    assert found(audit, ROOT_TWO).lower <= CLAIMED


def count_not_clipped(patch: pytest.MonkeyPatch, stream: str) -> None:
    honest = Documents.word_counts
    patch.setattr(Documents, "word_counts", lambda self, *, bound: honest(self, bound=math.inf))


def doubled(patch: pytest.MonkeyPatch, stream: str) -> None:
    """Documents' parts in a step are clipped at twice the bound."""
    honest = Documents.contributions
    patch.setattr(
        Documents, "contributions", lambda self, *given, bound, **named: honest(self, *given, bound=2 * bound, **named)
    )


def each_step_takes_all(patch: pytest.MonkeyPatch, stream: str) -> None:
    """What the steps may spend together is spent by each of them."""
    honest = module.shares

    def shares(words: float, q: float, recipe: Recipe) -> module.Shares:
        part = honest(words, q, recipe)
        return replace(part, steps=(sum(part.steps),) * len(part.steps))

    patch.setattr(module, "shares", shares)


MUTANTS = {
    "the count not clipped": (count_not_clipped, TWO, ("word counts", "a whole run")),
    "parts clipped at twice the bound": (doubled, TWO, ("a step",)),
    "each step spends what all may": (each_step_takes_all, ROOT_TWO, ("a whole run",)),
}
SABOTAGES = [
    *[(HALF, TWO, audit) for audit in ALL_AUDITS],
    *[(PUBLISHED, ROOT_TWO, audit) for audit in ALL_AUDITS],  # without √2
    *[(REUSED, ALL, audit) for audit in ALL_AUDITS],
    *[(without(audit.edge), ALL, audit) for audit in (*REFINED[:2], *UNIGRAM)],
]
CASES = [(name, audit) for name, (_, _, audits) in MUTANTS.items() for audit in audits]


@pytest.mark.parametrize(("name", "audit"), CASES)
def test_a_mutant_is_caught(name: str, audit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mutate, missing, _ = MUTANTS[name]
    mutate(monkeypatch, stream(WORDS if audit == "word counts" else STATISTIC))
    assert found(BY_TITLE[audit], missing).lower > CLAIMED


@pytest.mark.parametrize(("sabotage", "missing", "audit"), SABOTAGES)
def test_sabotage_is_caught(sabotage: Sabotage, missing: str, audit: RunAudit) -> None:
    assert found(audit, missing, sabotage).lower > CLAIMED


@every_audit
def test_neighbours_are_as_far_apart_as_the_sensitivity_and_the_budget_is_nearly_all(audit: RunAudit) -> None:
    one, two = audit.both(PROMISE, 1)
    assert np.count_nonzero(DOCUMENTS[0] != DOCUMENTS[1]) == 2
    for a, b in zip(one, two, strict=True):
        assert a.release.sensitivity == b.release.sensitivity
        assert 1 - 1e-9 < np.linalg.norm(a.shown - b.shown) / a.release.sensitivity <= 1
    spent = sum(part.release.mu**2 for part in one) / CLAIMED**2
    assert spent == pytest.approx(MOST if audit in REFINED[:2] else 1, rel=1e-9)


@every_audit
def test_noise_follows_the_declared_law(audit: RunAudit) -> None:
    """Scale, mean, shape and independence, over all draws of all releases: false alarms 1e-4 each (laws.py)."""
    assert follows(audit.seen(PROMISE, -(-ENOUGH // 4)).residuals)


@pytest.mark.parametrize("audit", [REFINED[2], UNIGRAM[0]], ids=["refined", "unigram"])
def test_what_is_drawn_again_and_again_is_what_a_run_releases(audit: RunAudit) -> None:
    """Bit by bit: given a run's own answers, the draws are that run's."""
    own: list[Mechanisms] = []
    corpus = corpus_of(among_empty(DOCUMENTS[0]))
    audit.run(corpus, PROMISE, 4, None, lambda source: own.append(Mechanisms(source)) or own[0])
    given = tuple(np.asarray(release.value) for release in own[0].releases)
    assert len(given) == len(audit.answers)
    for part, value in zip(audit.drawn(among_empty(DOCUMENTS[0]), PROMISE, 1, 4, answers=given), given, strict=True):
        np.testing.assert_array_equal(part.values[0], np.ravel(value))


def test_all_that_it_releases_is_audited_here_or_with_the_spectral_configuration() -> None:
    corpus, recipe = topical_corpus(1, n_documents=1000, n_words=12), Recipe(border=1e9, steps_after_start=1)
    released = {
        f"{release.edge} {release.quantity}"
        for release in called(module.refine, corpus, **CHOICES, recipe=recipe).releases
    }
    own = {stream(WORDS), stream(STATISTIC)}
    spectral = {
        audit.stream for audit in AUDITS if audit.configuration == "adaptive" and "word counts" not in audit.stream
    }
    assert released == own | spectral
