"""The finding about private topics: how many survive the noise, and what that is worth."""

from dataclasses import dataclass

from dplda.core.formatting import WITHOUT_TOPICS, digits
from dplda.evaluation.evidence import ReleasedEvidence
from dplda.theory.prediction.advice import FAILS, READABLE
from dplda.ui.explore.comparison import ALL_LOST, Comparison
from dplda.ui.explore.configurations.step_noise import describe_drowned

ONE_WORD_LIST = "This method finds one list of words for every topic"
ONE_WORD_LIST_WORTH = (
    "It looks for no topics. Private topics have to beat it under the same guarantee."
)
UNKNOWN_NOISE_WORTH = (
    "Words that differ from those of the same topic without noise are the price of privacy."
)
NONE_LOST = "Noise on pairs of words hides no topic"
DROWNED_WORTH = "A larger ε or more documents would help, or a configuration with less noise."
ERROR_WORTH = (
    "The error is the mean L1 distance from the true topics: 0 is the same, 2 no word in common."
)
CLEAR = 0.1  # mean L1 error: a twentieth of a topic's weight is on wrong words
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
    """Say what happened to the topics: their error if the truth is known.

    Otherwise how many survive the noise, by whatever the method releases about that; if none is
    lost but a step drowns, which one.
    """
    without_truth = _summarize_without_truth(comparison)
    drowned = comparison.drowned
    drowned_clause = "" if drowned is None else describe_drowned(drowned)
    if comparison.error is not None:
        return _by_error(comparison, comparison.error, without_truth, drowned_clause)
    if drowned_clause and without_truth.title == NONE_LOST:
        return Finding(f"{drowned_clause[:1].upper()}{drowned_clause[1:]}", DROWNED_WORTH)
    return without_truth


def _by_error(
    comparison: Comparison, error: float, without_truth: Finding, drowned_clause: str
) -> Finding:
    """State how good the topics are, from their error: a verdict, the error, and what drowns.

    If topics are lost or there is only one word list, the finding without truth stands in place of
    the verdict. The step that drowns is named only if the error is above ``READABLE``; then the
    finding's worth is advice. Otherwise it is that without truth, after the evidence if there is
    any, or an explanation of the error if no topic is lost.
    """
    error_text = f"error {digits(error, 2)} of 2"
    worth_sentence = without_truth.worth
    if comparison.has_one_word_list or _has_lost_topics(comparison):
        return Finding(f"{without_truth.title}: {error_text}", worth_sentence)
    title = f"Topics are {_verdict(error)}: {error_text}"
    if drowned_clause and error > READABLE:
        return Finding(f"{title}; {drowned_clause}", DROWNED_WORTH)
    if comparison.private.evidence is not None:
        worth_sentence = f"{without_truth.title}. {worth_sentence}"
    elif without_truth.title == NONE_LOST:
        worth_sentence = ERROR_WORTH
    return Finding(title, worth_sentence)


def _verdict(error: float) -> str:
    """How well topics are found, in one word: clear, readable, blurred or wrecked.

    Args:
        error: mean L1 error, at most 2.
    """
    if error <= CLEAR:
        return "clear"
    if error <= READABLE:
        return "readable"
    if error <= FAILS:
        return "blurred"
    return "wrecked"


def _has_lost_topics(comparison: Comparison) -> bool:
    """Whether a place has no topic, or its eigenvalue is below the noise.

    False for a method with evidence, which tells more than that.
    """
    if comparison.private.evidence is not None:
        return False
    whitening = comparison.private.curator.whitening
    n_above_noise = len(comparison.lanes[0].filled)
    if whitening is not None and _knows_signal(comparison):
        n_above_noise = min(n_above_noise, whitening.rising)
    return n_above_noise < _n_findable(comparison)


def _summarize_without_truth(comparison: Comparison) -> Finding:
    """Say how many topics survive the noise, by the first of these that the method has.

    Its evidence, that it gives one word list, an unknown share of noise, or its eigenvalues.
    """
    evidence = comparison.private.evidence
    if evidence is not None:
        return _by_evidence(comparison, evidence)
    if comparison.has_one_word_list:
        return Finding(ONE_WORD_LIST, ONE_WORD_LIST_WORTH)
    if not _knows_signal(comparison):
        n_found = comparison.private.topics.resolved
        title = f"{n_found} topics; the share of noise in each is unknown"
        return Finding(title, UNKNOWN_NOISE_WORTH)
    return _by_spectrum(comparison)


def _knows_signal(comparison: Comparison) -> bool:
    """Whether eigenvalues of the pair moment can be compared with its noise."""
    whitening = comparison.private.curator.whitening
    return whitening is not None and whitening.noise_floor > 0


def _by_evidence(comparison: Comparison, evidence: ReleasedEvidence) -> Finding:
    """State how well the topics explain the documents, from the method's released evidence.

    Null runs count only if they are done already: none is started here. If the documents have fewer
    true topics than asked for, the worth begins with that.
    """
    n_topics = _n_topics(comparison)
    numbers = evidence.released_numbers()  # a page does not wait for runs
    statement = numbers.describe_in_parts()
    worth = statement.further
    if _n_findable(comparison) < n_topics:
        worth = f"{_fewer_true_topics(comparison)} {worth}".strip()
    return Finding(statement.verdict.removesuffix("."), worth)


def _by_spectrum(comparison: Comparison) -> Finding:
    """State how many topics are lost, from eigenvalues compared with the noise.

    Without eigenvalues every topic that was found counts as above the noise. If a method as
    published shows topics that are pure noise, says so.
    """
    n_found = comparison.private.topics.resolved
    whitening = comparison.private.curator.whitening
    n_above_noise = n_found if whitening is None else whitening.rising
    n_findable = _n_findable(comparison)
    n_lost = max(0, n_findable - n_above_noise)
    title = _title_of_lost(n_lost, n_findable, _n_topics(comparison))
    if n_above_noise < n_found:  # the method drops none
        as_published_clause = f"As published, the method shows all {n_found} anyway"
        return Finding(title, f"{as_published_clause}, even where they are pure noise.")
    return Finding(title, _worth_of_lost(comparison, n_lost))


def _title_of_lost(n_lost: int, n_findable: int, n_topics: int) -> str:
    """A title on how many topics are lost in noise: none, all, or some.

    Args:
        n_lost: number of lost topics.
        n_findable: number of topics that can be found at most, of which some may be lost.
        n_topics: number of topics that were asked for; named if all are lost.
    """
    if not n_lost:
        return NONE_LOST
    if n_lost == n_findable:
        return ALL_LOST.format(n_topics)
    verb = "is" if n_lost == 1 else "are"
    return f"{n_lost} of {n_findable} topics {verb} lost in noise"


def _worth_of_lost(comparison: Comparison, n_lost: int) -> str:
    """Say what may bring lost topics back, or what it is worth that none is lost.

    Begins with the number of true topics if they are fewer than asked for.
    """
    has_fewer_true_topics = _n_findable(comparison) < _n_topics(comparison)
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


def _n_findable(comparison: Comparison) -> int:
    """Number of topics that can be found at most: simulated documents may have fewer."""
    n_topics = _n_topics(comparison)
    n_true_topics = comparison.n_true_topics
    return n_topics if n_true_topics is None else min(n_topics, n_true_topics)


def _fewer_true_topics(comparison: Comparison) -> str:
    """A sentence on documents that have fewer topics than were asked for."""
    return (
        f"The documents were drawn from {_n_findable(comparison)} topics, and you asked for"
        f" {_n_topics(comparison)}."
    )
