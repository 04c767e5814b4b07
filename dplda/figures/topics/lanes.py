"""Topics in numbered places: a topic keeps its number whatever the noise does."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dplda.core.types import Matrix, Vector
from dplda.evaluation.evidence import ReleasedEvidence
from dplda.evaluation.knowledge import document_word_scores, prior_word_scores, unsupported_words
from dplda.evaluation.relevance import TopicWords, choose_words
from dplda.methods.denoising.possible_topics import count_stays
from dplda.methods.refined.error_bars import Uncertainty
from dplda.spectral.topics import Topics, match


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """One numbered place and its topic.

    Attributes:
        number: from 1; also fixes the color.
        words: shape (d,), on the simplex; None where no topic rose above the noise.
        alpha: the Dirichlet's parameter, 0 for an empty place.
        overlap: signal share, in [0, 1]; 0 for an empty place.
        lower, upper: shape (d,), interval of each word's probability (``formatting.COVERAGE``); None where unknown.
        evidence: what a document loses without the topic, in nats, with noise; None where unknown.
        supported: whether that is evidence of the topic, as far as known.
        share: share of all words; None where unknown.
        row: row of the topic in its fit; None for an empty place and for true topics.
        name: name given by a person.
        public: shape (d,), whether only public knowledge has the word so, not the documents; None without a table.
        scores: shape (d,), by which words are ordered; None for their probability.
        stays: shape (d,), number of twenty possible topics that have each word among their first ten; None where
            unknown.
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
        shows_overlap: whether to show the signal share, which needs noise.
        topic_words: the choice of the words shown, which has those of several topics; None for words by probability.
    """

    title: str
    slots: tuple[Slot, ...]
    shows_overlap: bool = False
    empty: str = "below the noise"
    topic_words: TopicWords | None = None

    def describe_shared_words(
        self, vocabulary: Sequence[str], show: Callable[[str], str] = str
    ) -> str:
        """Words that lead several topics, which stand above them once; empty if there are none."""
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
    carrying: Sequence[int] | None = None,
    leans: bool = False,
    shares: Vector | None = None,
) -> Lane:
    """Topics of a fit, each in the place of the nearest reference topic.

    Args:
        reference: shape (k, d), the topic of each number.
        shares: shape (resolved,), share of all words of each topic; None where unknown.
        leans: whether topics lean on a table of public knowledge.
        carrying: topics that carry evidence; None for those that do beyond known noise alone.
    """
    found = topics.words[: topics.resolved]
    place_of = match(found, reference) if topics.resolved else np.empty(0, dtype=np.intp)
    slots = [Slot(place + 1, None) for place in range(len(reference))]
    topic_words = choose_words(found, topics.mean_words, evidence)
    lower, upper = (None, None) if uncertainty is None else uncertainty.interval()
    stays = _count_stays(found, topic_words, lower, upper, topics.mean_words)
    for topic, place in enumerate(map(int, place_of)):
        share = None if shares is None else float(shares[topic])
        alpha, overlap = float(topics.alpha[topic]), float(topics.overlap[topic])
        slots[place] = Slot(
            place + 1,
            topics.words[topic],
            alpha,
            overlap,
            share=share,
            row=topic,
            scores=topic_words.scores[topic],
        )
        if lower is not None and upper is not None and stays is not None:
            slots[place] = replace(
                slots[place], lower=lower[topic], upper=upper[topic], stays=stays[topic]
            )
        if leans:
            public = unsupported_words(slots[place].lower, topics.mean_words)
            slots[place] = replace(slots[place], public=public)
        if evidence is not None:
            supported = evidence.is_above_noise[topic] if carrying is None else topic in carrying
            slots[place] = replace(
                slots[place], evidence=float(evidence.by_topic[topic]), supported=supported
            )
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
    leans: bool = False,
) -> Lane:
    """Topics in their own order, numbered from 1, or by their ``places`` from 0.

    Args:
        word_frequencies: shape (d,), of all documents; None for the mean of the topics.
        leans: whether topics lean on a table of public knowledge over these frequencies.
    """
    if word_frequencies is None:
        word_frequencies = np.mean(words, axis=0)
    topic_words = choose_words(words, word_frequencies, evidence)
    stays = _count_stays(words, topic_words, lower, upper, word_frequencies)
    slots = []
    for topic, row in enumerate(words):
        low = None if lower is None else lower[topic]
        high = None if upper is None else upper[topic]
        place = places[topic] if places else topic
        slot = Slot(
            place + 1,
            row,
            lower=low,
            upper=high,
            row=topic,
            name=(names[topic] if names else None) or "",
            scores=topic_words.scores[topic],
            stays=None if stays is None else stays[topic],
        )
        if leans:
            slot = replace(slot, public=unsupported_words(low, word_frequencies))
        if evidence is not None:
            part = float(evidence.by_topic[topic])
            slot = replace(slot, evidence=part, supported=topic in evidence.supported_topics)
        slots.append(slot)
    return Lane(title, tuple(slots), topic_words=topic_words)


def _count_stays(
    words: Matrix,
    topic_words: TopicWords,
    lower: Matrix | None,
    upper: Matrix | None,
    word_frequencies: Vector,
) -> NDArray[np.intp] | None:
    """In how many of twenty possible topics each word is among the first ten; None without intervals."""
    if lower is None or upper is None:
        return None
    n_topics = len(words)
    return count_stays(
        words, topic_words.scores, lower[:n_topics], upper[:n_topics], word_frequencies
    )


def beside_table(topics: Lane, brought: Matrix, mean_words: Vector) -> tuple[Lane, Lane]:
    """What a table of public knowledge brought to each topic, shape (k, d), and words that documents raised most."""
    there = [slot for slot in topics.filled if slot.row is not None]
    rows = [slot.row or 0 for slot in there]

    def part(title: str, words: Matrix, scores: Matrix, empty: str) -> Lane:
        some = (
            own if np.any(np.isfinite(by)) else None for own, by in zip(words, scores, strict=True)
        )
        bare = (replace(slot, lower=None, upper=None, public=None, stays=None) for slot in there)
        slots = zip(bare, some, scores, strict=True)
        return Lane(
            title, tuple(replace(one, words=own, scores=by) for one, own, by in slots), empty=empty
        )

    return (
        part(
            "from the table",
            brought[rows],
            prior_word_scores(brought, mean_words)[rows],
            "no word of its own",
        ),
        part(
            "from the documents",
            topics.rows,
            document_word_scores(topics.rows, brought[rows]),
            "nothing: too much noise",
        ),
    )


def true_lane(title: str, words: Matrix, alpha: Vector, reference: Matrix) -> Lane:
    """True topics, each in the place of the nearest reference topic.

    Args:
        words: shape (m, d), true topics.
        alpha: shape (m,), their Dirichlet parameters.
        reference: shape (k, d); if m > k, the worst-fitting true topics are left out.
    """
    slots = [Slot(place + 1, None) for place in range(len(reference))]
    topic_words = choose_words(words, alpha / np.sum(alpha) @ words)
    if len(words) <= len(reference):
        pairs = [(topic, int(place)) for topic, place in enumerate(match(words, reference))]
    else:
        pairs = [(int(topic), place) for place, topic in enumerate(match(reference, words))]
    for topic, place in pairs:
        share = float(alpha[topic] / np.sum(alpha))
        slots[place] = Slot(
            place + 1,
            words[topic],
            float(alpha[topic]),
            1.0,
            share=share,
            scores=topic_words.scores[topic],
        )
    return Lane(title, tuple(slots), empty="no such topic", topic_words=topic_words)


def next_reference(lane: Lane, before: Matrix) -> Matrix:
    """The lane's topics as the next reference; empty places keep their topic ``before``, shape (k, d)."""
    rows = [
        row if slot.words is None else slot.words
        for slot, row in zip(lane.slots, before, strict=True)
    ]
    return np.array(rows)
