"""The finding about private topics: how many survive the noise, and what that is worth."""

from dataclasses import dataclass

from dplda.core.formatting import WITHOUT_TOPICS
from dplda.evaluation.evidence import ReleasedEvidence, describe_topics_above_noise
from dplda.ui.explore.comparison import ALL_LOST, Comparison

ONE_WORD_LIST = "This method finds one list of words for every topic"
ONE_WORD_LIST_WORTH = (
    "It looks for no topics. Private topics have to beat it under the same guarantee."
)
UNKNOWN_NOISE_WORTH = (
    "Words that differ from those of the same topic without noise are the price of privacy."
)
NONE_LOST = "Noise on pairs of words hides no topic"
LATER_NOISE = f"{WITHOUT_TOPICS} Noise added later can still change the words."


@dataclass(frozen=True, slots=True)
class Finding:
    """A heading on the topics, and what the finding is worth.

    Attributes:
        title: how many topics survive the noise.
        worth: what that is worth, or what would help.
    """

    title: str
    worth: str


def summarize(comparison: Comparison) -> Finding:
    """Say how many topics survive the noise, by whatever the method releases about that."""
    evidence = comparison.private.evidence
    if evidence is not None:
        return _by_evidence(comparison, evidence)
    if comparison.has_one_word_list:
        return Finding(ONE_WORD_LIST, ONE_WORD_LIST_WORTH)
    if not comparison.lanes[0].shows_overlap:
        n_found = comparison.private.topics.resolved
        title = f"{n_found} topics; the share of noise in each is unknown"
        return Finding(title, UNKNOWN_NOISE_WORTH)
    return _by_spectrum(comparison)


def _by_evidence(comparison: Comparison, evidence: ReleasedEvidence) -> Finding:
    """The finding of a method that releases how well its topics explain the documents."""
    n_topics = _n_topics(comparison)
    null_comparison = comparison.null_comparison
    worth = describe_topics_above_noise(evidence)
    if null_comparison is not None:
        worth = null_comparison.describe(n_topics)
    if _n_present(comparison) < n_topics:
        worth = f"{_fewer_true_topics(comparison)} {worth}"
    return Finding(evidence.describe_gain().removesuffix("."), worth)


def _by_spectrum(comparison: Comparison) -> Finding:
    """The finding of a method whose eigenvalues are compared with the noise."""
    n_resolved = comparison.private.topics.resolved
    whitening = comparison.private.curator.whitening
    n_above_noise = n_resolved if whitening is None else whitening.rising
    n_present = _n_present(comparison)
    n_lost = max(0, n_present - n_above_noise)
    title = _title_of_lost(n_lost, n_present, _n_topics(comparison))
    if n_above_noise < n_resolved:  # the method drops none
        shown = f"As published, the method shows all {n_resolved} anyway"
        return Finding(title, f"{shown}, even where they are pure noise.")
    return Finding(title, _worth_of_lost(comparison, n_lost))


def _title_of_lost(n_lost: int, n_present: int, n_topics: int) -> str:
    if not n_lost:
        return NONE_LOST
    if n_lost == n_present:
        return ALL_LOST.format(n_topics)
    verb = "is" if n_lost == 1 else "are"
    return f"{n_lost} of {n_present} topics {verb} lost in noise"


def _worth_of_lost(comparison: Comparison, n_lost: int) -> str:
    """Sentences on what may bring lost topics back, or on what it is worth that none is lost.

    Before them, one on true topics that are fewer than asked for.
    """
    has_fewer_true_topics = _n_present(comparison) < _n_topics(comparison)
    sentences = []
    if has_fewer_true_topics:
        sentences.append(_fewer_true_topics(comparison))
    if has_fewer_true_topics and not n_lost:
        sentences.append("There are no others.")
    if n_lost:
        lost_words = "those" if has_fewer_true_topics else "lost topics"
        remedy = f"A larger ε, more documents or fewer words may bring {lost_words} back."
        sentences.append(remedy)
    else:
        sentences.append(LATER_NOISE)
    return " ".join(sentences)


def _n_topics(comparison: Comparison) -> int:
    """Number of topics that were asked for."""
    return len(comparison.lanes[0].slots)


def _n_present(comparison: Comparison) -> int:
    """Number of topics that can be found at most: simulated documents may have fewer."""
    n_topics = _n_topics(comparison)
    n_true_topics = comparison.n_true_topics
    return n_topics if n_true_topics is None else min(n_topics, n_true_topics)


def _fewer_true_topics(comparison: Comparison) -> str:
    return (
        f"The documents were drawn from {_n_present(comparison)} topics, and you asked for"
        f" {_n_topics(comparison)}."
    )
