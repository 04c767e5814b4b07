"""Private selection of a corpus' words; ``thresholds`` proves what it costs."""

import hashlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack

from dplda.core import checks
from dplda.core.errors import CorpusError, InputError, NotReleasable
from dplda.core.types import Counts, Matrix, Vector
from dplda.corpus.corpus import Corpus, Selection, VocabularySource
from dplda.corpus.readers.counting import LEAST_WORDS
from dplda.privacy.mechanisms import Mechanisms, NamedQuantity
from dplda.privacy.noise.exact import MAX_DISCRETE_NUMBERS, ExactNoise, max_tv_slack, tv_slack_of
from dplda.privacy.noise.fixed_point import FixedPointSum, count_resolution
from dplda.privacy.word_selection.thresholds import (
    FIRST_ROUND_SHARE,
    MAX_WORDS_PER_ROW,
    SelectionRound,
    selection_thresholds,
)

WEIGHTS = NamedQuantity("vocabulary", "W", "weights of words", "e0")
LONGEST_SELECTED = 200
"""Characters of a word; a longer one is no word, and no file of a release could hold it."""
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, eq=False)
class SelectedWords:
    """The outcome of a selection: all of it that may leave.

    Attributes:
        words: those that were taken, best first; fewer than two make no corpus.
        weights: shape (2, d), their noisy weights in both rounds; nan where a list is taken whole.
    """

    words: tuple[str, ...]
    weights: Matrix


def select_words(
    corpus: Corpus, selection: Selection, *, noise: ExactNoise | None = None
) -> Corpus:
    r"""The corpus over listed words and those others that weigh enough in its documents, by noisy sums.

    Noise is exact and has no seed, so the same call can select other words. A document (or person) gives each of its n
    words off the list the weight 1/√n; of more than 300, a hash of the word and of all of them draws 300. A second
    round does so again with words that weighed enough in the first. Where the list is longer than ``n_words``, weights
    of the same kind rank its words; else it comes first, and is taken whole. ``noise`` is that of a whole run, which
    pays for more than this.

    Raises:
        InputError: the words were already chosen.
        CorpusError: fewer than two words pass.
        NotReleasable: the noise is too fine or too wide for its grid, by public numbers alone.

    Guarantee:
        The vocabulary is (ε, δ)-differentially private, for the selection's ε and δ, when one document (or all
        documents of a person, where the corpus is ``of_persons``) is replaced: ``thresholds``.

    Example:
        >>> import dplda
        >>> from dplda.corpus import Selection
        >>> lines = b"\n".join([b"green tea with milk", b"black tea with milk"] * 2000)
        >>> import io
        >>> met = dplda.load(("cups.txt", io.BytesIO(lines)), label="public", n_words=None)
        >>> sorted(dplda.select_words(met, Selection(listed=("sugar",))).vocabulary)
        ['black', 'green', 'milk', 'sugar', 'tea']
    """
    return restrict_to_selected(corpus, draw_selection(corpus, selection, noise=noise), selection)


def draw_selection(
    corpus: Corpus, selection: Selection, *, noise: ExactNoise | None = None
) -> SelectedWords:
    """Draw both rounds of a selection; arguments, refusals and guarantee as for ``select_words``."""
    documents: object = corpus
    if not isinstance(documents, Corpus):
        raise InputError("corpus", "a Corpus", f"a value of type {type(documents).__name__}")
    chosen: object = selection
    if not isinstance(chosen, Selection):
        raise InputError("selection", "a Selection", f"a value of type {type(chosen).__name__}")
    checks.instance("noise", noise, ExactNoise, may_be_none=True)
    if corpus.vocabulary_source is not VocabularySource.MET:
        raise InputError(
            "corpus",
            "over every word met",
            "over words chosen already",
            "Read them with n_words=None.",
        )
    law, spreads = selection_thresholds(selection), round_noise(selection, corpus.n_documents)
    if noise is None and sum(tv_slack_of(*one) for one in spreads) > max_tv_slack(
        selection.epsilon, selection.delta
    ):
        raise NotReleasable(
            "noise on words would be too fine for its grid", "Choose a smaller ε for the words."
        )
    words, counts = _candidates(corpus, selection)
    n_listed = len(selection.listed)
    mechanisms = Mechanisms(noise or ExactNoise(epsilon=selection.epsilon, delta=selection.delta))

    def noised(weights: Vector, which: NDArray[np.bool_], part: SelectionRound) -> Vector:
        fine = count_resolution(corpus.n_documents)
        sums = FixedPointSum.from_whole_floats(
            weights[which],
            1 / fine,
            (int(which.sum()),),
            neighbor_distance=law.sensitivity * fine,
        )
        marks = np.full(len(which), -math.inf)
        marks[which] = mechanisms.vector(WEIGHTS, sums, sensitivity=law.sensitivity, mu=part.mu)
        return marks

    is_listed = np.arange(len(words)) < n_listed
    ranked, named = (
        is_listed & selection.ranks,
        limit_words_per_row(counts[:, n_listed:], words[n_listed:]),
    )
    listed_weights = sum_word_weights(limit_words_per_row(counts[:, :n_listed], words[:n_listed]))
    weights = np.append(listed_weights, sum_word_weights(named))
    first_weights = noised(weights, ranked | (~is_listed & (weights > 0)), law.first)
    promising = ~is_listed & (first_weights > law.first.threshold)
    weights[promising] = sum_word_weights(named[:, promising[n_listed:]])
    second_weights = noised(weights, ranked | promising, law.second)
    passed = ~is_listed & (second_weights > law.second.threshold)
    marks = second_weights.copy()
    marks[passed] *= first_weights[passed].sum() / max(
        marks[passed].sum(), 1.0
    )  # listed words share weight with more others
    marks[is_listed] = (
        FIRST_ROUND_SHARE * first_weights[is_listed] + (1 - FIRST_ROUND_SHARE) * marks[is_listed]
        if selection.ranks
        else math.inf
    )
    taken = np.flatnonzero(is_listed | passed).tolist()
    # the alphabet settles ties: the order of columns says who was met more often
    best = sorted(taken, key=lambda one: (-marks[one], words[one]))[: selection.n_words]
    both_weights = np.stack([first_weights[best], second_weights[best]])
    both_weights[~np.isfinite(both_weights)] = math.nan
    return SelectedWords(tuple(words[one] for one in best), both_weights)


def restrict_to_selected(corpus: Corpus, selected: SelectedWords, selection: Selection) -> Corpus:
    """The corpus over the words that a selection took.

    Raises:
        CorpusError: it took fewer than two.
    """
    if len(selected.words) < 2:
        weight = selection_thresholds(selection).second.threshold
        raise CorpusError(
            f"Too few words weigh {weight:,.0f} or more in the {corpus.unit}s: {len(selected.words)} passed",
            "Give more documents, a larger ε or δ, or a list of words.",
        )
    return restrict_to_words(corpus, selected.words, selection)


def is_selectable(word: str) -> bool:
    """Whether a file of a release could name this word: it is short enough, and no half characters are in it."""
    has_half_characters = not word.isascii() and _HALF_CHARACTER.search(word) is not None
    return 0 < len(word) <= LONGEST_SELECTED and not has_half_characters


def _candidates(corpus: Corpus, selection: Selection) -> tuple[tuple[str, ...], Counts]:
    """Words that may be taken, those of the list first, and how often each document has them."""
    place = {word: column for column, word in enumerate(corpus.vocabulary) if is_selectable(word)}
    listed = [place.pop(word, -1) for word in selection.listed]  # -1: nobody wrote it
    nobody = csr_array((corpus.n_documents, 1), dtype=corpus.counts.dtype)
    counts: Counts = csr_array(
        hstack([corpus.counts, nobody], format="csr")[:, [*listed, *place.values()]]
    )
    return (*selection.listed, *place), counts


def restrict_to_words(corpus: Corpus, words: tuple[str, ...], selection: Selection) -> Corpus:
    """The corpus over words that a selection took from it before."""
    place = {word: column for column, word in enumerate(corpus.vocabulary)}
    nobody = csr_array((corpus.n_documents, 1), dtype=corpus.counts.dtype)
    counts: Counts = hstack([corpus.counts, nobody], format="csr")[
        :, [place.get(word, -1) for word in words]
    ]
    lengths = counts.sum(axis=1, dtype=np.int64)
    intake = corpus.intake and replace(
        corpus.intake, n_short=int((lengths < LEAST_WORDS).sum()), n_tokens_kept=int(lengths.sum())
    )
    return Corpus(
        counts,
        words,
        corpus.label,
        corpus.name,
        VocabularySource.SELECTED,
        intake=intake,
        persons=corpus.persons,
        of_persons=corpus.of_persons,
        selection=selection,
        origin=corpus.as_read,
    )


def round_noise(selection: Selection, n_documents: int) -> list[tuple[int, float]]:
    """How many words get noise at most, and its width in steps, of each round; public, unlike how many words occur."""
    law, most = (
        selection_thresholds(selection),
        min(n_documents * MAX_WORDS_PER_ROW + len(selection.listed), MAX_DISCRETE_NUMBERS),
    )
    return [
        (most, one.noise_std * count_resolution(n_documents)) for one in (law.first, law.second)
    ]  # more are rounded


def limit_words_per_row(counts: Counts, words: Sequence[str]) -> Counts:
    """A one for each word that a row names: its own, or 300 of them that a hash draws; same shape."""
    held, named = np.diff(counts.indptr), np.ones(counts.nnz, dtype=counts.dtype)
    long = np.flatnonzero(held > MAX_WORDS_PER_ROW)
    if long.size:
        encoded = (word.encode("utf-8", "surrogatepass") for word in words)
        digests = b"".join(
            hashlib.blake2b(word, digest_size=8, person=b"dplda words").digest() for word in encoded
        )
        codes, alphabetical = (
            np.frombuffer(digests, dtype="<u8"),
            np.unique(words, return_inverse=True)[1],
        )
    for row in long:
        part = slice(counts.indptr[row], counts.indptr[row + 1])
        written = counts.indices[part]
        content = np.sum(codes[written] * counts.data[part].astype(np.uint64)) | np.uint64(1)
        drawn = np.lexsort(
            (alphabetical[written], codes[written] * content)
        )  # whatever other words there are
        named[part][drawn[MAX_WORDS_PER_ROW:]] = 0
    found: Counts = csr_array(
        (named, counts.indices.copy(), counts.indptr.copy()), shape=counts.shape
    )
    found.eliminate_zeros()
    return found


def sum_word_weights(named: Counts) -> Vector:
    """What rows give to the words they name in all, in whole steps, each row a length of at most 1; shape (d,)."""
    fine, held = int(count_resolution(named.shape[0])), np.diff(named.indptr)
    for_one = np.array(
        [0, *(math.isqrt(fine**2 // n_words) for n_words in range(1, MAX_WORDS_PER_ROW + 1))],
        dtype=float,
    )
    sums: Vector = np.zeros(named.shape[1])
    np.add.at(sums, named.indices, np.repeat(for_one[held], held))
    return sums
