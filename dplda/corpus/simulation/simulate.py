"""Corpora drawn from the LDA model, with the truth that they were drawn from."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.types import Counts, Matrix, Vector
from dplda.corpus.corpus import Corpus, Label, Truth, VocabularySource
from dplda.corpus.simulation.drawn_groups import GroupDraw
from dplda.corpus.simulation.newspaper import read_newspaper
from dplda.corpus.vocabulary_checks import numbered_words

MAX_DRAWN_DOCUMENTS = 100_000_000  # from Python
MAX_DRAWN_WORDS = 1_000_000  # of a vocabulary, from Python
MAX_DRAWN_NUMBERS = 2_000_000_000  # tokens, and probabilities of words in topics
MOST_TOKENS = 30_000_000  # of a simulated corpus: seconds to draw, some hundred megabytes
_CHUNK_TOKENS = 1 << 20  # about so many words of documents are drawn at once: tens of megabytes
_LOG_STD = 0.8  # standard deviation of the logarithm of a log-normal length


class LengthLaw(StrEnum):
    """Distribution of document lengths about their mean.

    Example:
        >>> from dplda.corpus import LengthLaw, Simulation
        >>> simulation = Simulation(n_documents=5, mean_length=20, lengths=LengthLaw.FIXED)
        >>> simulation.draw().lengths.tolist()
        [20, 20, 20, 20, 20]
    """

    POISSON = "poisson"
    FIXED = "fixed"
    LOG_NORMAL = "log-normal"


@dataclass(frozen=True, slots=True)
class Simulation:
    """Arguments of ``dplda.simulate``, within limits that keep a corpus in memory.

    Attributes:
        n_documents: ``N``, 3 to 1,000,000.
        n_words: ``d``, 2 to 3,000.
        n_topics: ``k``, 2 to 100 and at most ``d``.
        alpha0: ``α0``, 0.0001 to 10,000.
        mean_length: ``L``, 1 to 10,000 words; N·L is at most 30 million.
        lengths: distribution of lengths.
        topic_concentration: parameter of the Dirichlet distribution of topics, 0.001 to 100.
        seed: of topics and documents, 0 to 2,147,483,647.
        newspaper: name of an invented newspaper; "" for random topics over numbered words.

    Raises:
        InputError: a field is out of its range, or does not fit the newspaper.

    Example:
        >>> from dplda.corpus import Simulation
        >>> simulation = Simulation(n_documents=100, n_words=20, n_topics=2, mean_length=30)
        >>> simulation.draw().counts.shape
        (100, 20)
    """

    n_documents: int = 20_000
    n_words: int = 500
    n_topics: int = 5
    alpha0: float = 1.0
    mean_length: int = 100
    lengths: LengthLaw = LengthLaw.POISSON
    topic_concentration: float = 0.1
    seed: int = 0
    newspaper: str = ""

    def __post_init__(self) -> None:
        """Refuse numbers out of range, more than the newspaper has, and too many words in all."""
        checks.plain(self)
        for name, value, low, high in (
            ("number of documents N", self.n_documents, 3, 1_000_000),
            ("vocabulary size d", self.n_words, 2, 3_000),
            ("number of true topics k", self.n_topics, 2, 100),
            ("mean length L", self.mean_length, 1, 10_000),
            ("seed of the documents", self.seed, 0, 2**31 - 1),
        ):
            checks.integer_between(name, value, low, high)
        checks.integer_between("number of true topics k", self.n_topics, 2, self.n_words)
        checks.one_of("lengths", self.lengths, LengthLaw)
        checks.text("newspaper", self.newspaper)
        checks.between("true α0", self.alpha0, 1e-4, 1e4, open_ends=False)
        checks.between("topic concentration", self.topic_concentration, 1e-3, 100, open_ends=False)
        if self.newspaper:
            read_newspaper(self.newspaper).vocabulary(n_words=self.n_words, n_topics=self.n_topics)
        if self.n_tokens > MOST_TOKENS:
            fix = "Use fewer or shorter documents, or simulate from Python."
            raise InputError(
                "N · L", f"at most {MOST_TOKENS:,} words in all", f"{self.n_tokens:,}", fix
            )

    @property
    def n_tokens(self) -> int:
        """Expected number of words in all documents, ``N·L``."""
        return self.n_documents * self.mean_length

    def draw(self) -> Corpus:
        """Draw the corpus that these numbers describe; the same numbers draw the same corpus."""
        return simulate(**asdict(self))


def simulate(
    *,
    n_documents: int,
    n_words: int,
    n_topics: int,
    alpha0: float,
    mean_length: float,
    seed: int,
    lengths: LengthLaw = LengthLaw.POISSON,
    topic_concentration: float = 0.1,
    equal_alpha: bool = False,
    newspaper: str = "",
) -> Corpus:
    """Draw topics, then documents, from latent Dirichlet allocation.

    Topics are in order of falling ``α``. Each document also gets a district and a month
    (``corpus.labels_in``), which differ in their topics; the true shares are in
    ``corpus.truth.groups``.

    Args:
        n_documents: ``N``, at least 3.
        n_words, n_topics: ``d`` and ``k``, at least 2, and k at most ``d``.
        alpha0: ``α0``, sum of the Dirichlet parameters: small for documents of one topic, large for
            mixed ones.
        mean_length: ``L``, mean number of words in a document, above 0; a whole number for fixed
            lengths.
        seed: of topics, documents and groups; the same arguments draw the same corpus.
        lengths: distribution of lengths; the logarithm of log-normal ones has standard deviation
            0.8. Documents of fewer than 3 words are kept.
        topic_concentration: parameter of the symmetric Dirichlet distribution of topics, above 0.
        equal_alpha: whether all ``α_i`` are ``α0 / k``; if not, they differ by a factor of at most
            3.
        newspaper: name of an invented newspaper, such as ``english``: topics are its first k
            sections, in words that people know. "" draws topics over the words ``w0000``,
            ``w0001``, …

    Raises:
        InputError: an argument is out of its range.

    Example:
        >>> import dplda
        >>> corpus = dplda.simulate(
        ...     n_documents=500, n_words=30, n_topics=3, alpha0=1.0, mean_length=50, seed=0
        ... )
        >>> corpus.counts.shape, corpus.truth.topics.shape, corpus.vocabulary[:2]
        ((500, 30), (3, 30), ('w0000', 'w0001'))
    """
    checks.integer_at_least("n_documents", n_documents, 3)
    checks.integer_at_least("n_words", n_words, 2)
    checks.positive("mean_length", mean_length)
    checks.flag("equal_alpha", equal_alpha)
    checks.text("newspaper", newspaper)
    lengths = checks.one_of("lengths", lengths, LengthLaw)
    check_size(n_documents, n_words, n_topics, mean_length)
    if lengths is LengthLaw.FIXED and mean_length != int(mean_length):
        limit_text = "a whole number where lengths are fixed"
        raise InputError("mean_length", limit_text, f"{mean_length:.12g}")
    truth = draw_truth(
        n_words=n_words,
        n_topics=n_topics,
        alpha0=alpha0,
        seed=seed,
        topic_concentration=topic_concentration,
        equal_alpha=equal_alpha,
    )
    vocabulary = numbered_words(n_words)
    corpus_name = "Random topics"
    if newspaper:
        vocabulary, truth = _with_sections(newspaper, truth, n_words)
        corpus_name = "An invented newspaper"
    _, document_rng, group_rng = np.random.default_rng(seed).spawn(3)
    group_draw = GroupDraw.of_newspaper(n_topics, rng=group_rng)
    document_lengths = _draw_lengths(lengths, mean_length, n_documents, rng=document_rng)
    counts = draw_counts(truth, document_lengths, rng=document_rng, groups=group_draw)
    truth = replace(truth, groups=group_draw.finish())
    return Corpus(counts, vocabulary, Label.SIMULATED, corpus_name, VocabularySource.FIXED, truth)


def _with_sections(name: str, truth: Truth, n_words: int) -> tuple[tuple[str, ...], Truth]:
    """The words of a newspaper, and the truth with its sections in place of the drawn topics.

    The topics are called by the titles of the sections.

    Raises:
        InputError: no newspaper has the name, it has fewer sections or words than asked for, or
            ``n_words`` is not above the number of topics.
    """
    newspaper = read_newspaper(name)
    n_topics = truth.alpha.size
    vocabulary = newspaper.vocabulary(n_words=n_words, n_topics=n_topics)
    topics = newspaper.topics(vocabulary, n_topics=n_topics)
    sections = newspaper.sections[:n_topics]
    titles = tuple(section.title for section in sections)
    return vocabulary, Truth(topics, truth.alpha, titles)


def check_size(n_documents: int, n_words: int, n_topics: int, mean_length: float) -> None:
    """Refuse a corpus with too few documents, words or topics, or with more than a table can hold.

    The upper limits leave room for corpora that fill a large machine.

    Args:
        n_documents: ``N``, from 3.
        n_words: ``d``, from 2.
        n_topics: ``k``, from 2.
        mean_length: ``L``, words of a document.

    Raises:
        InputError: a number is out of its range, or N · L or k · d is above its limit.
    """
    checks.integer_between("n_documents", n_documents, 3, MAX_DRAWN_DOCUMENTS)
    checks.integer_between("n_words", n_words, 2, MAX_DRAWN_WORDS)
    checks.integer_at_least("n_topics", n_topics, 2)
    for quantity_name, quantity in (
        ("n_documents · mean_length", n_documents * float(mean_length)),
        ("n_topics · n_words", n_topics * n_words),
    ):
        if quantity > MAX_DRAWN_NUMBERS:
            raise InputError(quantity_name, f"at most {MAX_DRAWN_NUMBERS:,}", f"{quantity:,.0f}")


def draw_truth(
    *,
    n_words: int,
    n_topics: int,
    alpha0: float,
    seed: int,
    topic_concentration: float = 0.1,
    equal_alpha: bool = False,
) -> Truth:
    """Draw the topics and ``α`` of ``simulate``, with random topics.

    ``α`` has the sum ``α0``. It falls from topic to topic, unless ``equal_alpha``. Arguments and
    refusals are as for ``simulate``, but sizes have no upper limit.
    """
    checks.integer_at_least("n_words", n_words, 2)
    checks.integer_at_least("n_topics", n_topics, 2)
    if n_topics > n_words:
        raise InputError("n_topics", f"at most n_words = {n_words}", str(n_topics))
    checks.alpha0(alpha0)
    checks.integer_at_least("seed", seed, 0)
    checks.positive("topic_concentration", topic_concentration)
    checks.at_most("topic_concentration", topic_concentration, checks.LARGEST)
    rng, _ = np.random.default_rng(seed).spawn(2)
    concentrations = np.full(n_words, float(topic_concentration))
    topics = rng.dirichlet(concentrations, size=n_topics)
    weights: Vector = np.ones(n_topics)
    if not equal_alpha:
        ascending_weights = np.sort(rng.uniform(0.5, 1.5, n_topics))
        weights = ascending_weights[::-1]
    alpha = float(alpha0) * weights / weights.sum()
    return Truth(topics, alpha)


def _draw_lengths(
    law: LengthLaw, mean_length: float, n_documents: int, *, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Number of words of each document, shape (N,); may be 0.

    Fixed lengths draw nothing, and are the whole part of ``mean_length``. Log-normal ones are
    rounded up or down at random, which keeps the mean.
    """
    if law is LengthLaw.FIXED:
        return np.full(n_documents, int(mean_length), dtype=np.int64)
    if law is LengthLaw.POISSON:
        return rng.poisson(mean_length, n_documents)
    # exp(m + s Z) has mean exp(m + s²/2); rounding up with probability the fraction keeps it
    log_mean = np.log(mean_length) - _LOG_STD**2 / 2
    lengths = rng.lognormal(log_mean, _LOG_STD, n_documents)
    rounding = rng.random(n_documents)
    return np.floor(lengths + rounding).astype(np.int64)


def draw_documents(
    truth: Truth,
    n_documents: int,
    mean_length: float,
    *,
    rng: np.random.Generator,
    vocabulary: Sequence[str] | None = None,
) -> Corpus:
    """Draw documents of given topics, of Poisson lengths; the corpus does not hold the truth.

    Args:
        truth: topics and α.
        n_documents: ``N``.
        mean_length: mean number of words of a document.
        rng: generator of the documents.
        vocabulary: the ``d`` words; None numbers them.
    """
    counts = draw_counts(truth, rng.poisson(mean_length, n_documents), rng=rng)
    return Corpus.from_counts(
        counts, vocabulary=vocabulary, label=Label.SIMULATED, name="drawn from topics"
    )


def draw_counts(
    truth: Truth,
    lengths: NDArray[np.int64],
    *,
    rng: np.random.Generator,
    groups: GroupDraw | None = None,
) -> Counts:
    """Draw documents as counts of words, shape (N, d).

    They are drawn in chunks, to save memory, one after the other from the same generator.

    Args:
        truth: topics and α.
        lengths: number of words of each document, shape (N,), of at least one document.
        rng: generator of all documents.
        groups: draws the group of each document by generators of its own; None for no groups.
    """
    cumulative_topics = np.cumsum(truth.topics, axis=1)
    cumulative_topics /= cumulative_topics[:, -1:]
    # A document is in the chunk in which its first word falls; its topic counts cost memory too.
    cost_until = np.cumsum(lengths + truth.alpha.size)
    chunk_number = (cost_until - cost_until[0]) // _CHUNK_TOKENS
    chunk_starts = np.flatnonzero(np.diff(chunk_number)) + 1
    chunks = []
    for chunk_lengths in np.split(lengths, chunk_starts):
        chunk = _draw_chunk(truth.alpha, cumulative_topics, chunk_lengths, rng=rng, groups=groups)
        chunks.append(chunk)
    return vstack(chunks, format="csr")


def _draw_chunk(
    alpha: Vector,
    cumulative: Matrix,
    lengths: NDArray[np.int64],
    *,
    rng: np.random.Generator,
    groups: GroupDraw | None,
) -> Counts:
    """Draw documents of given lengths, and their groups, shape (n, d).

    Args:
        alpha: ``α``, shape (k,).
        cumulative: topics as cumulative sums over words, shape (k, d).
        lengths: number of words of each document, shape (n,).
        rng: generator of the documents.
        groups: draws their groups; None for no groups.
    """
    topic_counts = rng.multinomial(lengths, rng.dirichlet(alpha, size=lengths.size))
    if groups is not None:
        groups.add(topic_counts)
    cells = _draw_cells(cumulative, topic_counts, rng=rng)
    return _count_cells(cells, (lengths.size, cumulative.shape[1]))


def _draw_cells(
    cumulative: Matrix, topic_counts: NDArray[np.integer], *, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw words from topics, topic by topic, as cells of the counts: row · d + column.

    A cell comes once for each word in it; cells are ordered by topic, then by document.

    Args:
        cumulative: topics as cumulative sums over words, shape (k, d); each ends in exactly 1.
        topic_counts: number of words that each document has from each topic, shape (n, k).
        rng: generator of the documents.
    """
    n_documents = len(topic_counts)
    n_words = cumulative.shape[1]
    first_cell_of_row = np.arange(n_documents, dtype=np.int64) * n_words
    cells_by_topic = []
    for cumulative_topic, n_from_topic in zip(cumulative, topic_counts.T, strict=True):
        uniform_draws = rng.random(int(n_from_topic.sum()))
        columns = np.searchsorted(cumulative_topic, uniform_draws, side="right")
        first_cells = np.repeat(first_cell_of_row, n_from_topic)
        cells_by_topic.append(first_cells + columns)
    return np.concatenate(cells_by_topic)


def _count_cells(cells: NDArray[np.int64], shape: tuple[int, int]) -> Counts:
    """Count how often each cell occurs, as a matrix of this shape; sorts ``cells`` in place."""
    n_documents, n_words = shape
    cells.sort()
    is_first = np.diff(cells, prepend=-1)
    first_positions = np.flatnonzero(is_first)
    distinct_cells = cells[first_positions]
    row_of_cell, column_of_cell = np.divmod(distinct_cells, n_words)
    columns = column_of_cell.astype(np.int32)
    counts = np.diff(first_positions, append=cells.size).astype(np.int32)
    row_ends = np.searchsorted(row_of_cell, np.arange(n_documents + 1))
    return csr_array((counts, columns, row_ends), shape=shape)
