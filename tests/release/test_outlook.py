"""What more budget would buy is said before it is paid, and comes about."""

from dataclasses import replace

import numpy as np
import pytest

from dplda.core.types import silent
from dplda.corpus import Corpus, simulate
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.registry import parse_method
from dplda.privacy.accounting import gaussian
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.findings import findings_of
from dplda.release.artefact.released_file import write_release
from dplda.release.report.outlook import (
    BUDGET_FACTORS,
    N_LEADING_WORDS,
    Outlook,
    predict_outlooks,
    remaining_noise,
    topics_are_stable,
)
from dplda.spectral.topics import match
from tests.release.test_artefact import artefact, thirds

DELTA, K, ALPHA0, DRAWS, TOPICS = 1e-7, 6, 0.1, 6, 10


def released(corpus: Corpus, epsilon: float, seed: int) -> Artefact:
    result = parse_method("refined").fit(
        corpus, Problem(K, ALPHA0), Budget(epsilon, DELTA), Runtime(seed)
    )
    run = findings_of(
        result,
        "Refined",
        ALPHA0,
        vocabulary=corpus.vocabulary,
        documents="x",
        n_documents=corpus.n_documents,
    )
    copied_fields = (
        "topics",
        "word_frequencies",
        "topic_shares",
        "lower",
        "upper",
        "evidence",
        "alpha0",
    )
    parts = {name: getattr(run, name) for name in copied_fields}
    bare = artefact(thirds(epsilon, DELTA), epsilon, DELTA)
    return replace(
        bare, **parts, vocabulary=run.vocabulary, n_documents=corpus.n_documents, n_topics=K
    )


def drawn(seed: int, n_documents: int = 4000) -> Corpus:
    return simulate(
        n_documents=n_documents, n_words=120, n_topics=K, alpha0=ALPHA0, mean_length=60, seed=seed
    )


def predicted(released_topics: Artefact, epsilon: float) -> tuple[Outlook, ...]:
    return predict_outlooks(
        write_release(released_topics), MethodSpec(name="refined"), epsilon, DELTA, silent
    )


def ranges(released_topics: Artefact, words: np.ndarray) -> np.ndarray:
    order = match(words, released_topics.topics)
    return np.take_along_axis(
        (released_topics.upper - released_topics.lower)[order],
        np.argsort(-words, axis=1)[:, :N_LEADING_WORDS],
        axis=1,
    )


def test_predicted_ranges_are_those_obtained_within_15_percent() -> None:
    """On the mean of six draws and three totals.

    A draw hangs on the last bits of its sums, so its ratio varies with the processor: by 11 to 14 % at
    one total and by 9.5 % on the mean of three, about 1.5 % (twelve draws). So a mean of six varies by
    3.9 %, and a right prediction is refused in about one of 500 runs on new draws. One that is 15 % off
    is refused in half of these and one that is 25 % off in 98 of 100.
    """
    epsilon, ratios = 8.4, []
    for seed in range(1, 1 + DRAWS):
        corpus = drawn(seed, n_documents=1000)
        first_release = released(corpus, epsilon, seed)
        now, *later_outlooks = predicted(first_release, epsilon)
        assert (now.width_ratio, now.n_supported, topics_are_stable(first_release)) == (
            1.0,
            sum(first_release.evidence.is_above_noise),
            True,
        )
        obtained = [released(corpus, epsilon * factor, seed) for factor in BUDGET_FACTORS]
        widths = [
            np.median(
                ranges(outlook, first_release.topics) / ranges(first_release, first_release.topics)
            )
            for outlook in obtained
        ]
        ratios.append(
            [
                outlook.width_ratio / width
                for outlook, width in zip(later_outlooks, widths, strict=True)
            ]
        )
    logarithms = np.log(ratios)
    assert abs(np.mean(logarithms)) < np.log(1.15)
    assert np.all(np.abs(np.mean(logarithms, axis=0)) < np.log(1.3)), "nor any total by itself"
    assert np.std(np.mean(logarithms, axis=1), ddof=1) < 0.25, "else the error rate above is wrong"


def test_outlook_of_unstable_topics_predicts_parts_without_ranges() -> None:
    unstable_release = released(drawn(0), 0.1, 0)
    assert not topics_are_stable(unstable_release)
    parts = np.array([0.5, 1.5, 2.5] * 2) * unstable_release.evidence.noise_threshold
    outlooks = predicted(
        replace(unstable_release, evidence=replace(unstable_release.evidence, by_topic=parts)), 0.1
    )
    assert [outlook.width_ratio for outlook in outlooks] == [None] * 4
    assert [outlook.n_supported for outlook in outlooks] == [4, 4, 4, 6]
    assert "Noise still decides" in outlooks[-1].in_words(K)


def test_noise_left_is_that_of_a_part_after_the_release_was_continued() -> None:
    corpus, refined = drawn(0), parse_method("refined")
    first_run = refined.fit(corpus, Problem(K, 1.0), Budget(1.0, DELTA), Runtime(0))
    assert refined.fit_continued is not None
    paid_mu, total = (gaussian.mu_for(epsilon, DELTA) for epsilon in (1.0, 2.0))
    previous = PreviousRelease(first_run.state, paid_mu, first_run.evidence, "first")
    continued = refined.fit_continued(
        previous, corpus, Problem(K, 1.0), Budget(2.0, DELTA), Runtime(0)
    )
    continued_release = replace(
        artefact(thirds(1.0, DELTA), 1.0, DELTA), n_documents=4000, n_topics=K
    )
    foreseen = first_run.evidence.topic_noise * remaining_noise(
        continued_release, first_run.evidence.topic_noise, paid_mu, total
    )
    assert continued.evidence.topic_noise == pytest.approx(foreseen, rel=1e-6)
