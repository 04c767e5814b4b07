"""Rows of the leaderboard: methods, what they promise, and how they are fitted.

Topics and a table of shares by group have ε together: nine tenths of μ² for topics, a tenth for the table, whoever makes
the topics. Where topics are public, the table has all of it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

import dplda
from benchmarks.group_shares import ALPHA0, DELTA, N_TOPICS
from benchmarks.leaderboard.clusters import fit_clusters
from benchmarks.leaderboard.corpora import Setting
from benchmarks.leaderboard.grouped_corpus import TABLE_SHARE, Contender, noisy_frequencies
from benchmarks.leaderboard.rivals import N_ROUNDS, fit_hdp_lda, fit_topic_dp
from dplda.core.errors import DpldaError
from dplda.methods.base.method import Method
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.prior.prior_mixtures import make_prior
from dplda.methods.refined.refined_methods import refined
from dplda.methods.registry import METHODS
from dplda.privacy.accounting import gaussian

NO_NOISE = 1e6  # μ of rows without privacy
N_PASSES = 20  # of the row without noise
PROVEN = "one document, proven"
PUBLISHED = "one document, as published: the proof has a known gap"
IN_THIS_CODE = "one document, proven for the shape in this benchmark"
WORD_BY_WORD = f"one word in one of {N_ROUNDS} rounds; a document's words and rounds add up"
SAMPLED = "documents like those that were sampled, not the worst one"
NOTHING = "nothing"
FitTopics = Callable[[Setting, float, int], Contender]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the leaderboard.

    Attributes:
        name: of the method.
        promise: whom its ε protects, and on what that rests.
        is_private: whether it promises ε for one document, with a proof.
        fit: makes topics of a setting for μ of all and a seed.
        uses_public_text: whether it reads public documents.
    """

    name: str
    promise: str
    is_private: bool
    fit: FitTopics
    uses_public_text: bool = False

    @property
    def unit(self) -> str:
        """Unit of privacy that its ε is for, in the format's words."""
        units = {WORD_BY_WORD: "word", SAMPLED: "other", NOTHING: "none"}
        return units.get(self.promise, "document")

    @property
    def proof(self) -> str:
        """On what its promise rests, in the format's words."""
        if self.is_private:
            return "proven"
        return "none" if self.promise == NOTHING else "published"

    def try_fit(self, setting: Setting, epsilon: float, seed: int) -> Contender | None:
        """Topics for ε of topics and table together; None for a refusal.

        Args:
            setting: documents to fit, and public ones.
            epsilon: of topics and table together.
            seed: of noise.
        """
        try:
            return self.fit(setting, gaussian.mu_for(epsilon, DELTA), seed)
        except DpldaError:
            return None


def rows() -> list[Row]:
    """All rows; the first is without noise, for comparison."""
    ours = METHODS["refined"]
    return [
        Row("without noise", NOTHING, False, _without_noise),
        Row("Refined", PROVEN, True, partial(_fit_method, ours)),
        Row("Refined + public text", PROVEN, True, _with_public_text, True),
        *(
            Row(METHODS[key].title, PROVEN, True, partial(_fit_method, METHODS[key]))
            for key in ("adaptive/corrected", "shared-moment/corrected")
        ),
        *(
            Row(f"{title}, corrected", PROVEN, True, partial(_fit_method, METHODS[key]))
            for title, key in (
                ("Configuration 1", "config-1/corrected"),
                ("Configuration 2", "config-2/corrected"),
                ("DP variational inference", "dp-vi/corrected"),
            )
        ),
        *(
            Row(f"{title}, as published", PUBLISHED, False, partial(_fit_method, METHODS[key]))
            for title, key in (
                *(
                    (f"Configuration {number}", f"config-{number}/as published")
                    for number in range(1, 5)
                ),
                ("DP variational inference", "dp-vi/as published"),
            )
        ),
        Row("hard clusters, noisy keywords (Urania's shape)", IN_THIS_CODE, True, _cluster, True),
        Row("public topics, private table (CTCL's shape)", IN_THIS_CODE, True, _public, True),
        Row("HDP-LDA's shape", WORD_BY_WORD, False, _hdp_lda),
        Row("TopicDP's shape", SAMPLED, False, _topic_dp),
        Row("word frequencies", PROVEN, True, _word_frequencies),
    ]


def _split(total_mu: float) -> tuple[float, float]:
    """μ of topics and of the table."""
    return total_mu * math.sqrt(1 - TABLE_SHARE), total_mu * math.sqrt(TABLE_SHARE)


def _without_noise(setting: Setting, total_mu: float, seed: int) -> Contender:
    """Spectral topics with passes over all documents, and a table with next to no noise."""
    model = dplda.SpectralLDA(N_TOPICS, alpha0=ALPHA0, refine=N_PASSES).fit(setting.documents.train)
    return Contender(
        method="without noise",
        topics=model.components_,
        mean_words=setting.documents.frequencies,
        table_mu=NO_NOISE,
    )


def _fit_method(method: Method, setting: Setting, total_mu: float, seed: int) -> Contender:
    """Topics of a method of the registry, for nine tenths of μ²."""
    topics_mu, table_mu = _split(total_mu)
    budget = Budget(gaussian.epsilon_for(topics_mu, DELTA), DELTA)
    problem = Problem(N_TOPICS, ALPHA0)
    topics = method.fit(setting.documents.train, problem, budget, Runtime(seed)).topics
    return Contender(
        method=method.title, topics=topics.words, mean_words=topics.mean_words, table_mu=table_mu
    )


def _with_public_text(setting: Setting, total_mu: float, seed: int) -> Contender:
    method = refined(prior=partial(make_prior, setting.public))
    return _fit_method(method, setting, total_mu, seed)


def _cluster(setting: Setting, total_mu: float, seed: int) -> Contender:
    """Noisy words of clusters, for nine tenths of μ²."""
    topics_mu, table_mu = _split(total_mu)
    rng = np.random.default_rng(seed)
    clusters = fit_clusters(setting.documents.train, setting.vectors, topics_mu, rng)
    return Contender(
        method="clusters", topics=clusters.words, mean_words=clusters.mean_words, table_mu=table_mu
    )


def _public(setting: Setting, total_mu: float, seed: int) -> Contender:
    return Contender(
        method="public topics", topics=setting.public_topics, mean_words=None, table_mu=total_mu
    )


def _hdp_lda(setting: Setting, total_mu: float, seed: int) -> Contender:
    """Its ε is that of one word in one round."""
    _, table_mu = _split(total_mu)
    epsilon = gaussian.epsilon_for(total_mu, DELTA)
    rng = np.random.default_rng(seed)
    topics = fit_hdp_lda(setting.documents.train.counts, epsilon, rng)
    return Contender(method="HDP-LDA", topics=topics, mean_words=None, table_mu=table_mu)


def _topic_dp(setting: Setting, total_mu: float, seed: int) -> Contender:
    topics_mu, table_mu = _split(total_mu)
    rng = np.random.default_rng(seed)
    topics = fit_topic_dp(setting.documents.train.counts, topics_mu, rng)
    return Contender(method="TopicDP", topics=topics, mean_words=None, table_mu=table_mu)


def _word_frequencies(setting: Setting, total_mu: float, seed: int) -> Contender:
    """Noisy word frequencies in place of each topic, for nine tenths of μ²."""
    topics_mu, table_mu = _split(total_mu)
    frequencies = noisy_frequencies(setting.documents.train, topics_mu, seed)
    topics = np.tile(frequencies, (N_TOPICS, 1))
    return Contender(
        method="word frequencies", topics=topics, mean_words=frequencies, table_mu=table_mu
    )
