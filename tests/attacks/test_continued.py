"""A release and the one that continues it, replayed on neighbours as one run: both together keep the claimed total."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from dplda.attacks.audit import harness
from dplda.attacks.audit.harness import Audit, Verdict
from dplda.attacks.audit.promise import make_promise
from dplda.attacks.audit.sabotage import AGAIN, HONEST, UNPAID, Sabotage
from dplda.attacks.replay import Recorder, replay
from dplda.corpus import Corpus
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.documents.documents import Documents
from dplda.methods.registry import parse_method
from dplda.privacy.accounting import gaussian
from dplda.privacy.noise.sources import NoiseSource
from tests.privacy.sources import seeded
from tests.tiny_corpora import corpus_of, repeated_word, topical_corpus

FIRST, TOTAL, DELTA = 0.6, 1.0, 1e-6
PROBLEM = Problem(2, 1.0)


def chain(method: str, *, counted_share: float = 1.0) -> Callable[[Corpus, NoiseSource], None]:
    """Two releases; with ``counted_share`` 0 the second does not know what the first has spent."""
    known_method = parse_method(method)

    def run(corpus: Corpus, noise: NoiseSource) -> None:
        first_run = known_method.fit(corpus, PROBLEM, Budget(FIRST, DELTA), Runtime(1, noise))
        assert first_run.state is not None
        assert known_method.fit_continued is not None
        mu = gaussian.mu_for(FIRST, DELTA)
        previous = PreviousRelease(
            first_run.state, max(counted_share * mu, 1e-9), first_run.evidence, "first"
        )
        known_method.fit_continued(
            previous, corpus, PROBLEM, Budget(TOTAL, DELTA), Runtime(2, noise)
        )

    return run


def ratio(method: str, *, counted_share: float = 1.0) -> float:
    rows = np.repeat(np.array([[60, 0, 0], [0, 60, 0], [9, 9, 9]]), 60, axis=0)
    sides = [rows.copy(), rows.copy()]
    sides[0][0], sides[1][0] = repeated_word(0, 3, 200), repeated_word(2, 3, 200)
    first_corpus, second_corpus = map(corpus_of, sides)
    record = replay(
        chain(method, counted_share=counted_share),
        (first_corpus, second_corpus),
        (Recorder(seeded(1)), Recorder(seeded(2))),
    )
    return record.spent_budget / gaussian.mu_for(TOTAL, DELTA)


@pytest.mark.parametrize("method", ["refined", "private-unigram"])
def test_continued_release_costs_no_more_than_its_total(method: str) -> None:
    assert ratio(method) <= 1


def test_audit_of_a_continued_release_catches_an_uncharged_parent() -> None:
    assert 0.99 < ratio("private-unigram") <= 1 < 1.1 < ratio("private-unigram", counted_share=0.0)


def test_continued_run_reuses_no_noise_of_its_parent_or_of_another_total() -> None:
    """One that continues the same parent to the same total twice is the same draw, and would be caught."""
    corpus, known_method = topical_corpus(0), parse_method("private-unigram")
    assert known_method.fit_continued is not None
    first_run = known_method.fit(corpus, PROBLEM, Budget(FIRST, DELTA), Runtime(1))
    assert first_run.state is not None
    previous = PreviousRelease(first_run.state, gaussian.mu_for(FIRST, DELTA), None, "first")
    continuations = (
        (previous, TOTAL),
        (previous, 2.0),
        (replace(previous, noise_key="other"), TOTAL),
        (previous, TOTAL),
    )
    runs = [
        known_method.fit_continued(start, corpus, PROBLEM, Budget(total, DELTA), Runtime(1))
        for start, total in continuations
    ]
    counts = Documents(corpus.counts, 1).sum_word_counts(clip_norm=2.0)
    unit_noise = [
        (np.asarray(result.releases[0].value) - counts) / result.releases[0].scale
        for result in (first_run, *runs)
    ]
    correlations = np.corrcoef(np.array(unit_noise)) - np.eye(5)
    assert np.max(correlations[:4, :4]) < 0.8
    assert correlations[1, 4] > 0.999


@pytest.mark.usefixtures("few_pairs")
@pytest.mark.parametrize("method", ["refined", "private-unigram"])
def test_audit_of_continued_releases_catches_each_sabotage(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with as little noise as that of the total, and where noise repeats that of the release before."""
    known_method, promise = parse_method(method), make_promise(10.0)
    chained = harness.attacks_on(known_method)[-1]

    def verdicts(sabotage: Sabotage) -> set[Verdict]:
        audit = Audit(known_method, promise, runs=6000, sabotage=sabotage, batches=2)
        verdicts_found = audit.run_all(lambda share, line: None)
        assert audit.results[0].search.holds
        return set(verdicts_found)

    monkeypatch.setattr(harness, "attacks_on", lambda method: (chained,))
    for sabotage, verdict in (
        (HONEST, Verdict.HOLDS),
        (UNPAID, Verdict.CAUGHT),
        (AGAIN, Verdict.CAUGHT),
    ):
        assert verdicts(sabotage) == {verdict}
