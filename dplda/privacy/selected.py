"""Private selection of a corpus' words; ``partition`` proves what it costs."""

import hashlib
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dplda.core.errors import CorpusError, InputError, NotReleasable
from dplda.corpus.corpus import Corpus, Selection, VocabularySource
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.exact import MOST_DISCRETE, ExactNoise, distance, distance_allowed
from dplda.privacy.noise.whole import FixedPointSum, counted_fineness
from dplda.privacy.partition import threshold

LEAST_WORDS = 3  # shorter rows contribute zero
_GOLDEN, _FIRST, _SECOND = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


@dataclass(frozen=True, slots=True)
class _Named:
    name: str = "vocabulary"
    edge: str = "e0"
    words: str = "units that hold each word"
    symbol: str = "c"


def select_words(corpus: Corpus, selection: Selection, *, noise: ExactNoise | None = None) -> Corpus:
    r"""The corpus over the words that most of its documents contain, by noisy counts.

    Noise is exact and has no seed, so the same call can select other words. At most ``per_unit`` distinct words of each
    document (or person) count, drawn by a hash of the word and of all the document's words.

    Args:
        corpus: over every word that occurs (``dplda.load`` with ``n_words=None``), for words above a threshold; or over
            a fixed list, for the best words without a threshold.
        selection: how many words, at what cost.
        noise: that of a whole run, which pays for more than this; None for this selection alone.

    Returns:
        Corpus over at most ``n_words`` words, largest noisy counts first. Their number is released too.

    Raises:
        InputError: the words were already chosen from the documents.
        CorpusError: fewer than two words pass.
        NotReleasable: the noise is too fine or too wide for its grid, by public numbers alone.

    Guarantee:
        The vocabulary is (ε, δ)-differentially private, for the selection's ε and δ, when one document (or all
        documents of a person, where the corpus is ``of_persons``) is replaced: ``partition``.

    Example:
        >>> import dplda
        >>> from dplda.corpus import Selection
        >>> lines = b"\n".join([b"green tea with milk", b"black tea with milk"] * 2000)
        >>> import io
        >>> met = dplda.load(("cups.txt", io.BytesIO(lines)), label="public", n_words=None)
        >>> sorted(dplda.select_words(met, Selection(per_unit=4)).vocabulary)
        ['black', 'green', 'milk', 'tea']
    """
    listed = corpus.vocabulary_source is VocabularySource.FIXED
    if not listed and corpus.vocabulary_source is not VocabularySource.MET:
        fix = "Read them with n_words=None, or with a fixed list."
        raise InputError("corpus", "over every word met, or over a fixed list", "over words chosen from it", fix)
    selection = replace(selection, listed=listed)
    law, fine = threshold(selection), counted_fineness(corpus.n_documents)
    most = min(most_words(corpus, selection), MOST_DISCRETE)
    if noise is None and distance(most, law.scale * fine) > distance_allowed(selection.epsilon, selection.delta):
        raise NotReleasable("noise on words would be too fine for its grid", "Choose a smaller ε for the words.")
    named = units_naming(corpus, selection.per_unit)
    candidates = np.arange(corpus.n_words) if listed else np.flatnonzero(named)
    numbers = FixedPointSum(named[candidates] * int(fine), 1 / fine, (candidates.size,))
    mechanisms = Mechanisms(noise or ExactNoise(epsilon=selection.epsilon, delta=selection.delta))
    noisy = mechanisms.vector(_Named(), numbers, sensitivity=law.sensitivity, mu=law.mu)
    passed = np.flatnonzero(noisy > law.threshold)
    place = _alphabetical(corpus)[candidates[passed]]  # settles ties: the order of columns says who was met more often
    best = candidates[passed[np.lexsort((place, -noisy[passed]))][: selection.n_words]]
    if best.size < 2:
        least = max(0.0, law.threshold)
        raise CorpusError(
            f"Too few words are held by about {least:,.0f} {corpus.unit}s or more: {best.size} passed",
            "Give more documents, a larger ε, or a list of words.",
        )
    counts = corpus.counts[:, best]
    lengths = counts.sum(axis=1, dtype=np.int64)
    intake = corpus.intake and replace(
        corpus.intake, n_short=int((lengths < LEAST_WORDS).sum()), n_tokens_kept=int(lengths.sum())
    )
    return Corpus(
        counts,
        tuple(corpus.vocabulary[column] for column in best),
        corpus.label,
        corpus.name,
        VocabularySource.SELECTED,
        intake=intake,
        persons=corpus.persons,
        of_persons=corpus.of_persons,
        selection=selection,
        origin=corpus.as_read,
    )


def most_words(corpus: Corpus, selection: Selection) -> int:
    """An upper bound on how many words get noise; public, unlike how many occur."""
    return corpus.n_words if selection.listed else corpus.n_documents * selection.per_unit


def units_naming(corpus: Corpus, per_unit: int) -> NDArray[np.int64]:
    """The number of rows that name each word, shape (d,); a row names at most ``per_unit`` words, chosen by hash."""
    counts = corpus.counts
    held = np.diff(counts.indptr)
    long = np.flatnonzero(held > per_unit)
    if not long.size:
        return np.bincount(counts.indices, minlength=corpus.n_words)
    of_long = np.repeat(held > per_unit, held)
    columns, rows = counts.indices[of_long], np.repeat(long, held[long])
    words, starts = _hashes(corpus)[columns], np.cumsum(held[long]) - held[long]
    content = np.add.reduceat(words * counts.data[of_long].astype(np.uint64), starts)
    drawn = _mixed(words, np.repeat(content, held[long]))
    order = np.lexsort((_alphabetical(corpus)[columns], drawn, rows))
    place = np.arange(order.size) - np.repeat(starts, held[long])
    named = np.concatenate([counts.indices[~of_long], columns[order[place < per_unit]]])
    return np.bincount(named, minlength=corpus.n_words)


def _hashes(corpus: Corpus) -> NDArray[np.uint64]:
    encoded = (word.encode("utf-8", "surrogatepass") for word in corpus.vocabulary)
    digests = b"".join(hashlib.blake2b(word, digest_size=8, person=b"dplda words").digest() for word in encoded)
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)


def _alphabetical(corpus: Corpus) -> NDArray[np.int64]:
    """Alphabetical rank of each word: breaks ties of hashes, whatever other words there are."""
    place = np.empty(corpus.n_words, dtype=np.int64)
    place[sorted(range(corpus.n_words), key=corpus.vocabulary.__getitem__)] = np.arange(corpus.n_words)
    return place


def _mixed(words: NDArray[np.uint64], content: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A pseudo-random number for each word in a row of this content (SplitMix64)."""
    x = words + content * _GOLDEN
    x = (x ^ (x >> np.uint64(30))) * _FIRST
    x = (x ^ (x >> np.uint64(27))) * _SECOND
    mixed: NDArray[np.uint64] = x ^ (x >> np.uint64(31))
    return mixed
