"""Topics in numbered places: a topic keeps its number whatever the noise does."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dplda.core.types import Matrix, Vector
from dplda.evaluation.evidence import ReleasedEvidence
from dplda.evaluation.knowledge import document_word_scores, prior_word_scores, unsupported_words
from dplda.evaluation.relevance import TopicWords, choose_words
from dplda.methods.base.error_bars import Uncertainty
from dplda.methods.denoising.possible_topics import count_stays
from dplda.spectral.topics import Topics, match


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """One numbered place and its topic.

    Attributes:
        number: from 1; also fixes the color.
        words: shape (d,), on the simplex; None where no topic rose above the noise.
        alpha: the Dirichlet's parameter, 0 for an empty place.
        overlap: signal share, in [0, 1]; 0 for an empty place.
        lower, upper: shape (d,), interval of each word's probability (``formatting.COVERAGE``);
            None where unknown.
        evidence: the topic's part in a document's gain, in nats, with noise; None where unknown.
        supported: whether that is evidence of the topic, as far as known.
        share: share of all words; None where unknown.
        row: row of the topic in its fit; None for an empty place and for true topics.
        name: name given by a person.
        public: shape (d,), whether only public knowledge has the word so, not the documents; None
            without a table.
        scores: shape (d,), by which words are ordered; None for their probability.
        stays: shape (d,), number of twenty possible topics that have each word among their first
            ten; None where unknown.
    """

    number: int
    words: Vector | None
    alpha: float = 0.0
    overlap: float = 0.0
    lower: Vector | None = None
    upper: Vector | None = None
    evidence: float | None = None
    supported: bool = True
    share: float | None = None
    row: int | None = None
    name: str = ""
    public: NDArray[np.bool_] | None = None
    scores: Vector | None = None
    stays: NDArray[np.intp] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """The topics of one fit, or the true ones, in numbered places.

    Attributes:
        title: of the lane.
        slots: the places, in their order.
        shows_overlap: whether to show the signal share, which needs noise.
        empty: text in a place without a topic.
        topic_words: the choice of the words shown, which has those of several topics; None for
            words by probability.
    """

    title: str
    slots: tuple[Slot, ...]
    shows_overlap: bool = False
    empty: str = "below the noise"
    topic_words: TopicWords | None = None

    def describe_shared_words(
        self, vocabulary: Sequence[str], show: Callable[[str], str] = str
    ) -> str:
        """Words that lead several topics, which stand above them once; empty if there are none.

        Args:
            vocabulary: the d words.
            show: makes a word fit to be shown: shortens or escapes it, say.
        """
        if self.topic_words is None:
            return ""
        return self.topic_words.describe_shared_words(vocabulary, show)

    @property
    def filled(self) -> tuple[Slot, ...]:
        """The places with a topic."""
        return tuple(slot for slot in self.slots if slot.words is not None)

    @property
    def rows(self) -> Matrix:
        """Topics of the filled places, one per row."""
        return np.array([slot.words for slot in self.filled])

    @property
    def knows_uncertainty(self) -> bool:
        """Whether intervals of the probabilities are known."""
        return any(slot.lower is not None for slot in self.slots)


def fitted_lane(
    title: str,
    topics: Topics,
    reference: Matrix,
    *,
    shows_overlap: bool = False,
    uncertainty: Uncertainty | None = None,
    evidence: ReleasedEvidence | None = None,
    supported_topics: Sequence[int] | None = None,
    has_prior: bool = False,
    shares: Vector | None = None,
) -> Lane:
    """Topics of a fit, each in the place of the nearest reference topic.

    Only topics that rose above the noise are taken; places without one stay empty.

    Args:
        title: of the lane.
        topics: of the fit.
        reference: shape (k, d), the topic of each number.
        shows_overlap: whether to show the signal share, which needs noise.
        uncertainty: of the topics' words; None where unknown.
        evidence: of each topic; None where unknown, so that every topic counts as supported.
        supported_topics: topics with evidence; None for those that have some beyond known noise
            alone. Read only with ``evidence``.
        has_prior: whether topics lean on a table of public knowledge, so that words which only the
            table has are marked. Without ``uncertainty`` all words are.
        shares: shape (resolved,), share of all words of each topic; None where unknown.
    """
    resolved_topics = topics.words[: topics.resolved]
    topic_words = choose_words(resolved_topics, topics.mean_words, evidence)
    lower: Matrix | None = None
    upper: Matrix | None = None
    if uncertainty is not None:
        lower, upper = uncertainty.interval()
    stay_counts = _count_stays(resolved_topics, topic_words, lower, upper, topics.mean_words)
    slots = _empty_slots(len(reference))
    places: list[int] = []
    if topics.resolved:
        places = match(resolved_topics, reference).tolist()
    for topic, place in enumerate(places):
        slot = Slot(
            number=place + 1,
            words=topics.words[topic],
            alpha=float(topics.alpha[topic]),
            overlap=float(topics.overlap[topic]),
            row=topic,
            scores=topic_words.scores[topic],
        )
        if shares is not None:
            slot = replace(slot, share=float(shares[topic]))
        if lower is not None and upper is not None and stay_counts is not None:
            slot = replace(slot, lower=lower[topic], upper=upper[topic], stays=stay_counts[topic])
        if has_prior:
            slot = replace(slot, public=unsupported_words(slot.lower, topics.mean_words))
        if evidence is not None:
            is_supported = evidence.is_above_noise[topic]
            if supported_topics is not None:
                is_supported = topic in supported_topics
            topic_evidence = float(evidence.by_topic[topic])
            slot = replace(slot, evidence=topic_evidence, supported=is_supported)
        slots[place] = slot
    return Lane(title, tuple(slots), shows_overlap, topic_words=topic_words)


def lane_as_found(
    title: str,
    words: Matrix,
    lower: Matrix | None = None,
    upper: Matrix | None = None,
    *,
    word_frequencies: Vector | None = None,
    evidence: ReleasedEvidence | None = None,
    names: Sequence[str | None] = (),
    places: Sequence[int] = (),
    has_prior: bool = False,
) -> Lane:
    """Topics in their own order, numbered from 1, or by their ``places``.

    Args:
        title: of the lane.
        words: shape (k, d), the topics.
        lower: shape (k, d), lower ends of intervals; None where unknown.
        upper: shape (k, d), their upper ends.
        word_frequencies: of all documents; None for the mean of the topics.
        evidence: of each topic; None where unknown, so that every topic counts as supported.
        names: given to the topics, None or empty for none; empty if no topic has one.
        places: place of each topic's number and color, from 0; the slots keep the topics' order.
        has_prior: whether topics lean on a table of public knowledge over these frequencies, so
            that words which only the table has are marked. Without ``lower`` all words are.
    """
    if word_frequencies is None:
        word_frequencies = np.mean(words, axis=0)
    topic_words = choose_words(words, word_frequencies, evidence)
    stay_counts = _count_stays(words, topic_words, lower, upper, word_frequencies)
    slots = []
    for topic, topic_row in enumerate(words):
        lower_ends = _row_if_known(lower, topic)
        place = places[topic] if places else topic
        slot = Slot(
            number=place + 1,
            words=topic_row,
            lower=lower_ends,
            upper=_row_if_known(upper, topic),
            row=topic,
            scores=topic_words.scores[topic],
        )
        if names:
            slot = replace(slot, name=names[topic] or "")
        if stay_counts is not None:
            slot = replace(slot, stays=stay_counts[topic])
        if has_prior:
            slot = replace(slot, public=unsupported_words(lower_ends, word_frequencies))
        if evidence is not None:
            is_supported = topic in evidence.supported_topics
            topic_evidence = float(evidence.by_topic[topic])
            slot = replace(slot, evidence=topic_evidence, supported=is_supported)
        slots.append(slot)
    return Lane(title, tuple(slots), topic_words=topic_words)


def _row_if_known(ends: Matrix | None, topic: int) -> Vector | None:
    """One topic's ends of intervals, shape (d,); None where they are unknown."""
    if ends is None:
        return None
    row: Vector = ends[topic]
    return row


def _empty_slots(n_places: int) -> list[Slot]:
    return [Slot(number=place + 1, words=None) for place in range(n_places)]


def _count_stays(
    words: Matrix,
    topic_words: TopicWords,
    lower: Matrix | None,
    upper: Matrix | None,
    word_frequencies: Vector,
) -> NDArray[np.intp] | None:
    """Count, of twenty possible topics, those that have each word among their first ten.

    None without intervals. Intervals of topics after the last one of ``words`` are not used.
    """
    if lower is None or upper is None:
        return None
    n_topics = len(words)
    return count_stays(
        words, topic_words.scores, lower[:n_topics], upper[:n_topics], word_frequencies
    )


def beside_table(topics: Lane, prior_topics: Matrix, mean_words: Vector) -> tuple[Lane, Lane]:
    """Words of a table of public knowledge, and words that the documents raised most over it.

    Args:
        topics: of a fit; their empty places, and those of no row, are left out.
        prior_topics: shape (k, d), topics of the table, by row of the fit.
        mean_words: shape (d,), word frequencies of all documents.

    Returns:
        A lane of the table's topics, then one of the fit's. A topic without a word of its own is
        an empty place that says so.
    """
    fitted_slots = [slot for slot in topics.filled if slot.row is not None]
    rows = [slot.row for slot in topics.filled if slot.row is not None]
    n_words = len(mean_words)
    fitted_topics = np.array([slot.words for slot in fitted_slots]).reshape(-1, n_words)
    table_lane = Lane(
        title="from the table",
        slots=_slots_with_words(
            fitted_slots, prior_topics[rows], prior_word_scores(prior_topics, mean_words)[rows]
        ),
        empty="no word of its own",
    )
    documents_lane = Lane(
        title="from the documents",
        slots=_slots_with_words(
            fitted_slots, fitted_topics, document_word_scores(fitted_topics, prior_topics[rows])
        ),
        empty="nothing: too much noise",
    )
    return table_lane, documents_lane


def _slots_with_words(slots: Sequence[Slot], words: Matrix, scores: Matrix) -> tuple[Slot, ...]:
    """The places with other words and scores, a row of each for every place."""
    return tuple(
        _slot_with_words(slot, slot_words, slot_scores)
        for slot, slot_words, slot_scores in zip(slots, words, scores, strict=True)
    )


def _slot_with_words(slot: Slot, words: Vector, scores: Vector) -> Slot:
    """A place with other words and scores, without what is known of its own words.

    It becomes empty if none of the scores is finite.
    """
    shown_words: Vector | None = None
    if np.any(np.isfinite(scores)):
        shown_words = words
    return replace(
        slot, words=shown_words, scores=scores, lower=None, upper=None, public=None, stays=None
    )


def true_lane(title: str, words: Matrix, alpha: Vector, reference: Matrix) -> Lane:
    """True topics, each in the place of the nearest reference topic; other places stay empty.

    Text in an empty place is "no such topic".

    Args:
        title: of the lane.
        words: shape (m, d), true topics.
        alpha: shape (m,), their Dirichlet parameters, by which their shares of all words go.
        reference: shape (k, d); if m > k, the worst-fitting true topics are left out.
    """
    true_shares = alpha / np.sum(alpha)
    topic_words = choose_words(words, true_shares @ words)
    if len(words) <= len(reference):
        place_by_topic = dict(enumerate(match(words, reference).tolist()))
    else:
        topics_in_places = match(reference, words).tolist()
        place_by_topic = {topic: place for place, topic in enumerate(topics_in_places)}
    slots = _empty_slots(len(reference))
    for topic, place in place_by_topic.items():
        slots[place] = Slot(
            number=place + 1,
            words=words[topic],
            alpha=float(alpha[topic]),
            overlap=1.0,
            share=float(true_shares[topic]),
            scores=topic_words.scores[topic],
        )
    return Lane(title, tuple(slots), empty="no such topic", topic_words=topic_words)


def next_reference(lane: Lane, previous_reference: Matrix) -> Matrix:
    """The lane's topics as the next reference, shape (k, d).

    Empty places keep their previous topic.
    """
    rows = []
    for slot, previous_topic in zip(lane.slots, previous_reference, strict=True):
        topic = slot.words
        if topic is None:
            topic = previous_topic
        rows.append(topic)
    return np.array(rows)
