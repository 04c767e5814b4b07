"""What the leaderboard measures of topics."""

from dataclasses import dataclass

import numpy as np

import dplda
from benchmarks.leaderboard.corpora import Setting
from benchmarks.leaderboard.grouped_corpus import Contender, measure
from dplda.core.types import Counts
from dplda.evaluation import npmi


@dataclass(frozen=True, slots=True)
class Task:
    """One number of topics.

    Attributes:
        name: of the task.
        words: what it measures.
        lower_is_better: whether small numbers are good.
        digits: of a number on the page.
    """

    name: str
    words: str
    lower_is_better: bool
    digits: int


TASKS = (
    Task("recovery", "mean L1 error of topics (0 to 2), against those drawn from", True, 3),
    Task("perplexity", "of one half of documents held out, given the other", True, 0),
    Task("coherence", "NPMI of ten leading words in documents held out", False, 3),
    Task("signs", "pairs of groups that truly differ by 5 points, ordered rightly", False, 3),
    Task("attack AUC", "a member scores above one of the others so often (a coin: 0.5)", True, 3),
    Task("attack ε", "lower bound on ε that the attack proves, 95 % confidence", True, 2),
)
BY_NAME = {task.name: task for task in TASKS}


def measure_tasks(setting: Setting, contender: Contender) -> dict[str, float]:
    """Every task that a setting has, but for the attack."""
    documents = setting.documents
    measured_numbers = measure(documents, contender, setting.reference, setting.true_table)
    numbers = {
        "perplexity": float(measured_numbers["perplexity"]),
        "signs": float(measured_numbers["signs_right"]),
    }
    if setting.truth is not None:
        numbers["recovery"] = dplda.topic_error(setting.truth, contender.topics).l1_mean
    else:
        numbers["coherence"] = float(npmi(contender.topics, documents.test).mean)
    return numbers


def measure_attack(
    setting: Setting, contender: Contender, other_documents: Counts
) -> dict[str, float]:
    """AUC and lower bound on ε by ``dplda.audit_topics``, of topics of few documents.

    Args:
        setting: whose documents the topics were fitted to.
        contender: the topics.
        other_documents: counts of documents that they were not fitted to, (N, d).
    """
    members = setting.documents.train.counts
    topics = np.maximum(contender.topics, 0)
    audit = dplda.audit_topics(topics, members, other_documents, delta=1e-7)
    return {"attack AUC": audit.auc, "attack ε": audit.bound.epsilon}
