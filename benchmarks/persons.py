"""What protecting persons costs where a tenth of them wrote half of the documents: topic error at either level.

Documents are drawn from the model with known topics. Where authors write of anything, a document's mixture of topics is
drawn anew each time; where each has an interest, all documents of an author have the author's own mixture. At the
level of documents one document is protected; at the level of persons all documents of a person, which are read as one.
"""

from collections.abc import Iterator
from statistics import median

import numpy as np

import dplda
from dplda.core.errors import NoTopics
from dplda.corpus import Corpus, Label, VocabularySource
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.registry import parse_method
from dplda.privacy.accounting.groups import group_epsilon

N_WORDS, N_TOPICS, ALPHA0, LENGTH, DELTA = 200, 5, 0.5, 40, 1e-7
PERSONS, MANY = 8000, 25  # every tenth person wrote so many documents, which is half of all
EPSILONS, SEEDS, METHODS = (1.0, 4.0), range(3), ("refined", "adaptive")

Row = dict[str, str | int | float | list[float]]


def run() -> Iterator[Row]:
    """One row for each kind of author, level, method and ε; without topics the error is the largest, 2."""
    for interest in (False, True):
        corpora = [_drawn(seed, interest=interest) for seed in SEEDS]
        for level in ("document", "person"):
            rows = [one.by_person() if level == "person" else one for one in corpora]
            for method in METHODS:
                for epsilon in EPSILONS:
                    found = [
                        _error(row, one, method, epsilon, seed)
                        for row, one, seed in zip(rows, corpora, SEEDS, strict=True)
                    ]
                    group = epsilon if level == "person" else group_epsilon(epsilon, DELTA, MANY)
                    yield {
                        "authors": "of one interest each" if interest else "of anything",
                        "protected": level,
                        "rows": rows[0].n_documents,
                        "method": method,
                        "epsilon": epsilon,
                        "epsilon_of_who_wrote_25": round(group, 2),
                        "median_l1_mean": round(median(found), 4),
                        "l1_mean": [round(error, 4) for error in found],
                    }


def _drawn(seed: int, *, interest: bool) -> Corpus:
    """Documents of ``PERSONS``, a tenth of whom wrote ``MANY`` each, the others as many together, at least one each."""
    rng = np.random.default_rng(seed)
    few = PERSONS * 9 // 10
    rest = PERSONS // 10 * MANY
    more = rng.integers(0, few, rest - few)
    whose = np.concatenate([np.arange(few), more, np.repeat(np.arange(few, PERSONS), MANY)])
    rng.shuffle(whose)
    truth = dplda.simulate(
        n_documents=3, n_words=N_WORDS, n_topics=N_TOPICS, alpha0=ALPHA0, mean_length=3, seed=seed
    )
    assert truth.truth is not None
    mixtures = rng.dirichlet(truth.truth.alpha, PERSONS if interest else len(whose))
    counts = rng.multinomial(
        LENGTH, (mixtures[whose] if interest else mixtures) @ truth.truth.topics
    )
    return Corpus(
        counts,
        truth.vocabulary,
        Label.SIMULATED,
        "authors",
        VocabularySource.FIXED,
        truth=truth.truth,
        persons=whose,
    )


def _error(rows: Corpus, corpus: Corpus, method: str, epsilon: float, seed: int) -> float:
    assert corpus.truth is not None
    given = Problem(N_TOPICS, ALPHA0), Budget(epsilon, DELTA), Runtime(seed)
    try:
        found = parse_method(method).fit(rows, *given)
    except NoTopics:
        return 2.0
    return dplda.topic_error(corpus.truth.topics, found.topics.words).l1_mean
