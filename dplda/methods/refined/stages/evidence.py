"""Stage 6: the documents' own gain by the topics, released once after the last step.

A document adds its gain over word frequencies, the number of its words that were scored, and what
it loses without each topic, each bounded. Sums are of documents that were fitted, so small corpora
flatter themselves; null runs say how much (``dplda.methods.refined.results.topic_evidence``).
"""

import math
from functools import partial

import numpy as np

from dplda.core.types import Matrix
from dplda.methods.refined.documents.document_blocks import DocumentBlock, clip_factors
from dplda.methods.refined.documents.documents import bounded_vectors
from dplda.methods.refined.documents.topic_scorer import TopicScorer
from dplda.methods.refined.plan.constants import (
    BACKGROUND_SHARE,
    MAX_DOCUMENT_LENGTH,
    MAX_TOPIC_LOSS,
)
from dplda.methods.refined.plan.quantities import GAIN
from dplda.methods.refined.plan.sum_bounds import evidence_bound
from dplda.methods.refined.results.topic_evidence import TopicEvidence
from dplda.methods.refined.stages.run import RefinementRun
from dplda.spectral.topics import Topics


def release_evidence(run: RefinementRun, topics: Topics) -> TopicEvidence:
    """Release the gain of a run's topics, each topic's part in it, and the mean length.

    A continued run averages its mean length with that of the previous release.

    Where gains are clipped follows from the total of a chain, so that a continued run clips them,
    and hears them, as one release at that total does. Clipping and noise vanish as the corpus
    grows.
    """
    schedule = run.schedule
    n_documents, n_topics = schedule.n_documents, run.problem.n_topics
    largest_gain = max(1.0, math.sqrt(n_documents * schedule.total_mu) / 2)  # nats
    scorer = TopicScorer(topics.words, topics.mean_words, topics.alpha, BACKGROUND_SHARE)
    clipped_sum = bounded_vectors(
        run.documents,
        partial(evidence_vectors, scorer, largest_gain),
        2 + n_topics,
        evidence_bound(n_documents=n_documents, n_words=schedule.n_words, n_topics=n_topics),
        is_exact=run.is_exact,
    )
    noisy_means = run.release(GAIN, clipped_sum, schedule.evidence_share) / n_documents
    noise_std = run.mechanisms.noise_std_of(GAIN) / n_documents
    length_unit = MAX_DOCUMENT_LENGTH / 2  # half of a document's words are scored
    evidence = TopicEvidence(
        gain_nats=float(noisy_means[0]) * largest_gain,
        gain_noise=noise_std * largest_gain,
        length=max(1.0, float(noisy_means[1]) * length_unit),
        length_noise=noise_std * length_unit,
        by_topic=noisy_means[2:] / MAX_TOPIC_LOSS,
        topic_noise=noise_std / MAX_TOPIC_LOSS,
    )
    if run.previous is None or run.previous.evidence is None:
        return evidence
    return evidence.with_length_of(run.previous.evidence)


def evidence_vectors(scorer: TopicScorer, largest_gain: float, block: DocumentBlock) -> Matrix:
    """Gain over ``largest_gain``, clipped to ±1, length and losses of each document, (n, 2 + k).

    Guarantee:
        A document's vector is a function of it and of the arguments, in [−1, 1] × [0, 1] × a ball
        of radius ``MAX_TOPIC_LOSS`` (up to rounding, which whole numbers are cut below). So two of
        them are at most ``EVIDENCE_DISTANCE`` apart.
    """
    scores = scorer.score_block(block, with_losses=True)
    gains = np.clip(scores.gains / largest_gain, -1, 1)
    lengths = np.minimum(np.sum(block.counts, axis=1) / MAX_DOCUMENT_LENGTH, 1.0)
    loss_norms = np.sqrt(np.vecdot(scores.topic_losses, scores.topic_losses))
    losses = scores.topic_losses * (MAX_TOPIC_LOSS * clip_factors(loss_norms, 1.0)[:, None])
    return np.column_stack([gains, lengths, losses])
