"""Draw a corpus from the LDA model and keep the truth it was drawn from."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.types import Counts, Matrix, Vector
from dplda.corpus.corpus import Corpus, Label, Truth, VocabularySource, numbered_words
from dplda.corpus.simulation.drawn_groups import GroupDraw
from dplda.corpus.simulation.newspaper import read_newspaper

MOST_DRAWN_DOCUMENTS, MOST_DRAWN_WORDS = 100_000_000, 1_000_000  # from Python
MOST_DRAWN_NUMBERS = 2_000_000_000  # tokens, and probabilities of words in topics
MOST_TOKENS = 30_000_000  # of a simulated corpus: seconds to draw, some hundred megabytes
_TOKENS_AT_ONCE = 1 << 20  # a chunk of documents has about this many words: tens of megabytes
_LOG_SPREAD = 0.8  # standard deviation of the logarithm of a log-normal length


class LengthLaw(StrEnum):
    """How document lengths vary about their mean.

    Example:
        >>> from dplda.corpus import LengthLaw, Simulation
        >>> Simulation(n_documents=5, mean_length=20, lengths=LengthLaw.FIXED).draw().lengths.tolist()
        [20, 20, 20, 20, 20]
    """

    POISSON = "poisson"
    FIXED = "fixed"
    LOG_NORMAL = "log-normal"


@dataclass(frozen=True, slots=True)
class Simulation:
    """Arguments of ``dplda.simulate``, within limits that keep a corpus in memory.

    Example:
        >>> from dplda.corpus import Simulation
        >>> Simulation(n_documents=100, n_words=20, n_topics=2, mean_length=30).draw().counts.shape
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
        """``N·L``, words expected in all."""
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
    """Draw topics, then documents, from latent Dirichlet allocation; topics stand in order of falling ``α``.

    Each document also gets a district and a month (``corpus.labels_in``), which differ in their topics; the true
    shares are in ``corpus.truth.groups``.

    Args:
        n_words, n_topics: ``d`` and ``k``, at least 2, and k at most ``d``.
        alpha0: ``α0``, sum of the Dirichlet parameters: small for documents of one topic, large for mixed ones.
        mean_length: ``L``, mean number of words in a document, above 0; a whole number for fixed lengths.
        lengths: how lengths vary; log-normal ones have spread 0.8 of their logarithm. Those below 3 are kept.
        topic_concentration: parameter of the symmetric Dirichlet law that topics are drawn from, above 0.
        equal_alpha: whether all ``α_i`` are ``α0 / k``; if not, they differ by a factor of at most 3.
        newspaper: name of an invented newspaper, ``english`` among them: topics are its first k sections, in words
            that people know. Where empty, topics are drawn over the words ``w0000``, ``w0001``, …

    Example:
        >>> import dplda
        >>> corpus = dplda.simulate(n_documents=500, n_words=30, n_topics=3, alpha0=1.0, mean_length=50, seed=0)
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
        raise InputError(
            "mean_length", "a whole number where lengths are fixed", f"{mean_length:.12g}"
        )

    size = {"n_words": n_words, "n_topics": n_topics, "seed": seed}
    truth = draw_truth(
        **size, alpha0=alpha0, topic_concentration=topic_concentration, equal_alpha=equal_alpha
    )
    vocabulary = numbered_words(n_words)
    if newspaper:
        paper = read_newspaper(newspaper)
        vocabulary = paper.vocabulary(n_words=n_words, n_topics=n_topics)
        titles = tuple(section.title for section in paper.sections[:n_topics])
        truth = Truth(paper.topics(vocabulary, n_topics=n_topics), truth.alpha, titles)
    _, document_rng, group_rng = np.random.default_rng(seed).spawn(3)
    groups = GroupDraw.of_newspaper(n_topics, rng=group_rng)
    sizes = _draw_lengths(lengths, mean_length, n_documents, rng=document_rng)
    name = "An invented newspaper" if newspaper else "Random topics"
    counts = draw_counts(truth, sizes, rng=document_rng, groups=groups)
    truth = replace(truth, groups=groups.finish())
    return Corpus(counts, vocabulary, Label.SIMULATED, name, VocabularySource.FIXED, truth)


def check_size(n_documents: int, n_words: int, n_topics: int, mean_length: float) -> None:
    """Refuses a corpus of more documents, words or topics than an index or a table can hold.

    Raises:
        InputError: a number is above its limit; the limits leave room for corpora that fill a large machine.
    """
    checks.integer_between("n_documents", n_documents, 3, MOST_DRAWN_DOCUMENTS)
    checks.integer_between("n_words", n_words, 2, MOST_DRAWN_WORDS)
    checks.integer_at_least("n_topics", n_topics, 2)
    for name, number in (
        ("n_documents · mean_length", n_documents * float(mean_length)),
        ("n_topics · n_words", n_topics * n_words),
    ):
        if number > MOST_DRAWN_NUMBERS:
            raise InputError(name, f"at most {MOST_DRAWN_NUMBERS:,}", f"{number:,.0f}")


def draw_truth(
    *,
    n_words: int,
    n_topics: int,
    alpha0: float,
    seed: int,
    topic_concentration: float = 0.1,
    equal_alpha: bool = False,
) -> Truth:
    """The topics and ``α`` that ``simulate`` draws its documents from; arguments and refusals as there."""
    checks.integer_at_least("n_words", n_words, 2)
    checks.integer_at_least("n_topics", n_topics, 2)
    if n_topics > n_words:
        raise InputError("n_topics", f"at most n_words = {n_words}", str(n_topics))
    checks.alpha0(alpha0)
    checks.integer_at_least("seed", seed, 0)
    checks.positive("topic_concentration", topic_concentration)
    alpha0, topic_concentration = float(alpha0), float(topic_concentration)  # fractions, say
    rng = np.random.default_rng(seed).spawn(2)[0]
    topics = rng.dirichlet(np.full(n_words, topic_concentration), size=n_topics)
    weights: Vector = (
        np.ones(n_topics) if equal_alpha else np.sort(rng.uniform(0.5, 1.5, n_topics))[::-1]
    )
    return Truth(topics, alpha0 * weights / weights.sum())


def _draw_lengths(
    law: LengthLaw, mean: float, n_documents: int, *, rng: np.random.Generator
) -> NDArray[np.int64]:
    if law is LengthLaw.FIXED:
        return np.full(n_documents, int(mean), dtype=np.int64)
    if law is LengthLaw.POISSON:
        return rng.poisson(mean, n_documents)
    # exp(m + s Z) has mean exp(m + s²/2); rounding up with probability the fraction keeps it
    real = rng.lognormal(np.log(mean) - _LOG_SPREAD**2 / 2, _LOG_SPREAD, n_documents)
    return np.floor(real + rng.random(n_documents)).astype(np.int64)


def draw_documents(
    truth: Truth,
    n_documents: int,
    mean_length: float,
    *,
    rng: np.random.Generator,
    vocabulary: Sequence[str] | None = None,
) -> Corpus:
    """Documents of given topics, of Poisson lengths, over these words or numbered ones."""
    counts = draw_counts(truth, rng.poisson(mean_length, n_documents), rng=rng)
    return Corpus.from_counts(
        counts, vocabulary=vocabulary, label=Label.SIMULATED, name="drawn from topics"
    )


def draw_counts(
    truth: Truth,
    sizes: NDArray[np.int64],
    *,
    rng: np.random.Generator,
    groups: GroupDraw | None = None,
) -> Counts:
    """Documents as counts of words, shape (N, d).

    Args:
        truth: topics and α.
        sizes: number of words of each document, shape (N,).
        rng: of the documents.
        groups: draws the group of each document by generators of its own; None for no groups.
    """
    cumulative = np.cumsum(truth.topics, axis=1)
    cumulative /= cumulative[:, -1:]
    # a document belongs to the chunk in which its first word falls; its row of topic counts costs memory too
    cost = np.cumsum(sizes + truth.alpha.size)
    starts = np.flatnonzero(np.diff((cost - cost[0]) // _TOKENS_AT_ONCE))
    chunks = [
        _draw_chunk(truth.alpha, cumulative, part, rng=rng, groups=groups)
        for part in np.split(sizes, starts + 1)
    ]
    return vstack(chunks, format="csr")


def _draw_chunk(
    alpha: Vector,
    cumulative: Matrix,
    sizes: NDArray[np.int64],
    *,
    rng: np.random.Generator,
    groups: GroupDraw | None,
) -> Counts:
    """Draw documents of the given sizes from topics given as cumulative sums over words."""
    n_words = cumulative.shape[1]
    topic_counts = rng.multinomial(sizes, rng.dirichlet(alpha, size=sizes.size))
    if groups is not None:
        groups.add(topic_counts)
    documents = np.arange(sizes.size, dtype=np.int64)
    cells = np.concatenate(
        [
            np.repeat(documents * n_words, in_topic)
            + np.searchsorted(cumulative_topic, rng.random(int(in_topic.sum())), side="right")
            for cumulative_topic, in_topic in zip(cumulative, topic_counts.T, strict=True)
        ]
    )
    cells.sort()
    first = np.flatnonzero(np.diff(cells, prepend=-1))
    row, word = np.divmod(cells[first], n_words)
    counts = np.diff(first, append=cells.size).astype(np.int32)
    ends = np.searchsorted(row, np.arange(sizes.size + 1))
    return csr_array((counts, word.astype(np.int32), ends), shape=(sizes.size, n_words))
