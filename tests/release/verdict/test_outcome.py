"""The verdict on a release follows from its released evidence alone."""

from dataclasses import replace

import numpy as np
import pytest

from dplda.evaluation.evidence import EvidenceCheck, ReleasedEvidence
from dplda.evaluation.knowledge import PriorUse
from dplda.release.artefact.artefact import Artefact
from dplda.release.verdict.outcome import Usability, judge_release, judge_themes
from dplda.release.verdict.verdict import Readability
from tests.release.test_artefact import artefact, thirds

K = 6


def release_with(n_supported: int, gain: float = 2.0, **changes) -> Artefact:
    """Six topics, of which so many have evidence."""
    by_topic = np.where(np.arange(K) < n_supported, 0.9, 0.0)
    evidence = ReleasedEvidence(gain, 0.1, 50.0, 0.1, by_topic, 0.05)
    words = np.random.default_rng(0).dirichlet(np.ones(3), K)
    facts = {
        "topics": words,
        "topic_shares": np.full(K, 1 / K),
        "n_topics": K,
        "lower": None,
        "upper": None,
        "evidence": evidence,
    }
    return replace(artefact(thirds(1.0, 1e-6), 1.0, 1e-6), **facts | changes)


@pytest.mark.parametrize(
    ("n_supported", "outcome"),
    [
        (6, Usability.USABLE),
        (4, Usability.USABLE),
        (3, Usability.WEAK),
        (2, Usability.WEAK),
        (1, Usability.NOTHING),
        (0, Usability.NOTHING),
    ],
)
def test_outcome_with_evidence_is_counted_in_thirds_of_topics(n_supported, outcome) -> None:
    verdict = judge_release(release_with(n_supported))
    assert verdict.outcome is outcome
    assert verdict.describe().startswith(f"{verdict.word}. ")


def test_outcome_of_a_gain_that_noise_hides_is_weak_at_best() -> None:
    assert judge_release(release_with(6, gain=0.1)).outcome is Usability.WEAK
    assert judge_release(release_with(1, gain=0.1)).outcome is Usability.NOTHING


def test_outcome_of_a_gain_below_three_percent_is_weak_at_best() -> None:
    for gain_share, outcome in ((0.029, Usability.WEAK), (0.031, Usability.USABLE)):
        nats = -50.0 * np.log1p(-gain_share)
        assert judge_release(release_with(6, gain=nats)).outcome is outcome


def test_outcome_of_a_gain_that_flatters_is_that_of_new_documents() -> None:
    """Four percent of the fitted documents' perplexity are two percent of new documents'."""
    release = release_with(6, gain=2.0)
    check = EvidenceCheck(
        is_significant=True, supported_topics=tuple(range(K)), optimism=1.0, optimism_error=0.0
    )
    checked = replace(release, evidence=replace(release.evidence, known_check=check))
    assert judge_release(release).outcome is Usability.USABLE
    assert judge_release(checked).outcome is Usability.WEAK


def test_outcome_of_topics_that_are_a_table_is_weak_at_best() -> None:
    table = PriorUse("english", "0" * 64, asked=True, used=True, stepped=False)
    assert judge_release(release_with(6, prior_use=table)).outcome is Usability.WEAK
    table_after_steps = replace(table, stepped=True)
    assert judge_release(release_with(6, prior_use=table_after_steps)).outcome is Usability.USABLE


def test_outcome_without_released_evidence_is_weak_at_best() -> None:
    without = release_with(6, evidence=None)
    assert judge_release(without).outcome is Usability.WEAK
    none_found = replace(without, topics=np.empty((0, 3)), topic_shares=np.empty(0))
    assert judge_release(none_found).outcome is Usability.NOTHING


@pytest.mark.parametrize(
    ("n_found", "n_themes", "readability"),
    [
        (0, 3, Readability.NOTHING),
        (1, 6, Readability.NOTHING),
        (1, 3, Readability.WEAK),
        (3, 6, Readability.WEAK),
        (2, 3, Readability.READABLE),
        (4, 6, Readability.READABLE),
    ],
)
def test_judge_themes_has_the_borders_of_verdicts(n_found, n_themes, readability) -> None:
    assert judge_themes(n_found, n_themes) is readability
