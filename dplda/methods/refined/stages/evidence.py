"""Stage 5: the documents' own gain by the topics, released once after the last step.

A document adds its gain over word frequencies, the number of its words that were scored, and each
topic's part in the gain, all bounded. Sums are of documents that were fitted, so small corpora
flatter themselves; null runs say how much (``dplda.methods.refined.results.topic_evidence``).
"""

from functools import partial

import numpy as np

from dplda.core.types import Matrix
from dplda.methods.refined.documents.document_blocks import DocumentBlock, clip_factors
from dplda.methods.refined.documents.documents import bounded_vectors
from dplda.methods.refined.documents.topic_scorer import TopicScorer
from dplda.methods.refined.plan.constants import (
    BACKGROUND_SHARE,
    MAX_DOCUMENT_LENGTH,
    MAX_TOPIC_PART,
)
from dplda.methods.refined.plan.quantities import GAIN
from dplda.methods.refined.plan.sum_bounds import evidence_bound, largest_gain, largest_parts
from dplda.methods.refined.results.topic_evidence import TopicEvidence
from dplda.methods.refined.stages.run import RefinementRun
from dplda.spectral.topics import Topics


def release_evidence(run: RefinementRun, topics: Topics) -> TopicEvidence:
    """Release the gain of a run's topics, each topic's part in it, and the mean length.

    The length is of the half of a document's words that is scored, at least 1. A continued run
    averages it with that of the previous release.

    Where gains and parts are clipped follows from the total of a chain, so that a continued run
    clips them, and hears them, as one release at that total does. Clipping and noise vanish as the
    corpus grows.
    """
    schedule = run.schedule
    n_documents, n_topics = schedule.n_documents, run.problem.n_topics
    gain_unit = largest_gain(n_documents, schedule.total_mu)
    parts_unit = largest_parts(n_documents, n_topics, schedule.total_mu)
    scorer = TopicScorer(topics.words, topics.mean_words, topics.alpha, BACKGROUND_SHARE)
    clipped_sum = bounded_vectors(
        run.documents,
        partial(evidence_vectors, scorer, gain_unit, parts_unit),
        2 + n_topics,
        evidence_bound(n_documents=n_documents, n_words=schedule.n_words, n_topics=n_topics),
        is_exact=run.is_exact,
    )
    noisy_means = run.release(GAIN, clipped_sum, schedule.evidence_share) / n_documents
    noise_std = run.mechanisms.noise_std_of(GAIN) / n_documents
    length_unit = MAX_DOCUMENT_LENGTH / 2  # half of a document's words are scored
    evidence = TopicEvidence(
        gain_nats=float(noisy_means[0]) * gain_unit,
        gain_noise=noise_std * gain_unit,
        length=max(1.0, float(noisy_means[1]) * length_unit),
        length_noise=noise_std * length_unit,
        by_topic=noisy_means[2:] * (parts_unit / MAX_TOPIC_PART),
        topic_noise=noise_std * (parts_unit / MAX_TOPIC_PART),
        largest_gain=gain_unit,
    )
    if run.previous is None or run.previous.evidence is None:
        return evidence
    return evidence.with_length_of(run.previous.evidence)


def evidence_vectors(
    scorer: TopicScorer, gain_unit: float, parts_unit: float, block: DocumentBlock
) -> Matrix:
    """Gain, length and parts by topic of each document, in units of their own, (n, 2 + k).

    Gains in their unit are clipped to ±1. Parts in theirs are clipped to length 1, and multiplied
    by ``MAX_TOPIC_PART``.

    Args:
        scorer: of the topics.
        gain_unit: gain at which a document's is clipped, in nats.
        parts_unit: length at which its parts by topic are, in nats.
        block: documents to score.

    Guarantee:
        A document's vector is a function of it and of the arguments, in [−1, 1] × [0, 1] × a ball
        of radius ``MAX_TOPIC_PART`` (up to rounding, which whole numbers are cut below). So two of
        them are at most ``EVIDENCE_DISTANCE`` apart.
    """
    scores = scorer.score_block(block, with_parts=True)
    gains = np.clip(scores.gains / gain_unit, -1, 1)
    lengths = np.minimum(np.sum(block.counts, axis=1) / MAX_DOCUMENT_LENGTH, 1.0)
    parts = scores.topic_parts / parts_unit
    part_norms = np.sqrt(np.vecdot(parts, parts))
    parts *= (MAX_TOPIC_PART * clip_factors(part_norms, 1.0))[:, None]
    return np.column_stack([gains, lengths, parts])
