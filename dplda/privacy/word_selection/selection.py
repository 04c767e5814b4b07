"""Private selection of a corpus' words; ``thresholds`` proves what it costs."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack

from dplda.core.errors import CorpusError, InputError, NotReleasable
from dplda.core.types import Counts, Matrix, Vector
from dplda.corpus.corpus import Corpus, Selection, VocabularySource
from dplda.corpus.readers.counting import MIN_WORDS
from dplda.privacy.bounded_sum import BoundedSum
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.named_quantity import NamedQuantity
from dplda.privacy.noise.exact import MAX_DISCRETE_NUMBERS, ExactNoise, max_tv_slack, tv_slack_of
from dplda.privacy.noise.fixed_point import FixedPointSum, count_resolution
from dplda.privacy.word_selection.row_weights import (
    NamingRows,
    limit_words_per_row,
    sum_word_weights,
)
from dplda.privacy.word_selection.thresholds import (
    FIRST_ROUND_SHARE,
    MAX_WORDS_PER_ROW,
    selection_thresholds,
)

WEIGHTS = NamedQuantity("vocabulary", "W", "weights of words", "e0")
MAX_WORD_CHARACTERS = 200  # a longer word is none, and no file of a release could hold it
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, eq=False)
class SelectionOutcome:
    """Outcome of a selection: all of it that may leave.

    Attributes:
        words: selected words, best first; fewer than two make no corpus.
        weights: shape (2, d), their noisy weights in both rounds; nan where a list is taken whole.
    """

    words: tuple[str, ...]
    weights: Matrix


def select_words(
    corpus: Corpus, selection: Selection, *, noise: ExactNoise | None = None
) -> Corpus:
    r"""The corpus over listed words and others that weigh enough in its documents, by noisy sums.

    Noise is exact and has no seed, so the same call can select other words. A document (or person)
    gives each of its n words off the list the weight 1/√n; of more than 300, a hash of the word and
    of all of them draws 300. A second round does so again with words that weighed enough in the
    first. Where the list is longer than ``n_words``, weights of the same kind rank its words; else
    it comes first, and is taken whole.

    Args:
        corpus: documents, or persons, over every word that occurs in them.
        selection: how many words, the public list, ε and δ.
        noise: noise of a whole run, which pays for more than this selection; by default its own.

    Raises:
        InputError: the words were already chosen.
        CorpusError: fewer than two words pass.
        NotReleasable: the noise is too fine or too wide for its grid, by public numbers alone.

    Guarantee:
        The vocabulary is (ε, δ)-differentially private, for the selection's ε and δ, when one
        document (or all documents of a person, where the corpus is ``of_persons``) is replaced:
        ``thresholds``.

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
) -> SelectionOutcome:
    """Draw both rounds of a private selection of words.

    The second round weighs listed words and those that the first found promising. Listed words
    need no threshold; the best of all are taken, up to ``selection.n_words``. A weight that was not
    released in a round is NaN.

    Arguments, refusals and guarantee are as for ``select_words``.
    """
    _require_arguments(corpus, selection, noise)
    if noise is None:
        _require_room_for_slack(selection, corpus.n_documents)
        noise = ExactNoise(epsilon=selection.epsilon, delta=selection.delta)
    rows = NamingRows(corpus.counts, corpus.vocabulary, MAX_WORDS_PER_ROW)
    return draw_selection_from_rows(rows, selection, noise)


def draw_selection_from_rows(
    rows: NamingRows, selection: Selection, noise: ExactNoise
) -> SelectionOutcome:
    """Draw both rounds of a selection among what rows name: words, or groups.

    The first round finds promising words off the list. In the second, rows divide their weight over
    these alone. Listed words are weighed in both rounds if the selection ranks them.

    Args:
        rows: what is protected, one row each, over everything that a row names.
        selection: how many to take, the public list, ε and δ.
        noise: noise of a whole run, which pays for this selection.

    Returns:
        At most the selection's number of words, best first: listed ones, and others above the
        second threshold. Listed ones come first, by the alphabet, if they are not ranked. Their
        weights in both rounds; NaN where a listed word was not weighed.

    Guarantee:
        As for ``select_words``, when one row is replaced: ``thresholds``.
    """
    candidates = _find_candidates(rows, selection)
    weighed_words = _weigh_in_two_rounds(rows, candidates, selection, Mechanisms(noise))
    scores = _score_words(weighed_words, candidates.is_listed, are_listed_ranked=selection.ranks)

    def rank(column: int) -> tuple[float, str]:
        """Key that puts the best score first, and settles ties by the alphabet.

        The order of columns must not settle them: it says which word was met more often.
        """
        return -scores[column], candidates.words[column]

    is_selectable_column = candidates.is_listed | weighed_words.is_above_threshold
    selectable_columns = np.flatnonzero(is_selectable_column).tolist()
    best_columns = sorted(selectable_columns, key=rank)[: selection.n_words]
    best_words = tuple(candidates.words[column] for column in best_columns)
    weights_in_both_rounds = np.stack(
        [weighed_words.first_weights[best_columns], weighed_words.second_weights[best_columns]]
    )
    weights_in_both_rounds[~np.isfinite(weights_in_both_rounds)] = math.nan
    return SelectionOutcome(best_words, weights_in_both_rounds)


@dataclass(frozen=True, slots=True, eq=False)
class _Candidates:
    """Words that may be selected, those of the list first, and what rows give to them.

    Attributes:
        words: d candidates.
        is_listed: whether each is on the public list, shape (d,).
        listed_weights: weights of the listed words, in whole steps.
        unlisted_rows: a one for each other word that a row gives weight to, shape (N, d - listed).
    """

    words: tuple[str, ...]
    is_listed: NDArray[np.bool_]
    listed_weights: Vector
    unlisted_rows: Counts


@dataclass(frozen=True, slots=True, eq=False)
class _WeighedWords:
    """Noisy weights of candidates in both rounds, minus infinity where one was not weighed.

    Attributes:
        first_weights: of the first round, shape (d,).
        second_weights: of the second round, shape (d,).
        is_above_threshold: whether each is off the list and above the second threshold, shape (d,).
    """

    first_weights: Vector
    second_weights: Vector
    is_above_threshold: NDArray[np.bool_]


def _weigh_in_two_rounds(
    rows: NamingRows, candidates: _Candidates, selection: Selection, mechanisms: Mechanisms
) -> _WeighedWords:
    """Release the candidates' weights in two rounds.

    The first round weighs all words off the list that some row names. The second one weighs those
    above the first threshold; rows divide their weight anew among them. Listed words are weighed
    in both rounds, with the same exact weights, if the selection ranks them, else in none.

    Returns:
        Noisy weights of both rounds, minus infinity where a word was not weighed. A listed word is
        never marked as above the threshold.
    """
    n_rows = rows.counts.shape[0]
    thresholds = selection_thresholds(selection, max_words_per_row=rows.max_words_per_row)
    is_listed_and_ranked = candidates.is_listed & selection.ranks
    is_off_list = ~candidates.is_listed

    unlisted_weights = sum_word_weights(candidates.unlisted_rows)
    exact_weights = np.append(candidates.listed_weights, unlisted_weights)
    is_named_off_list = is_off_list & (exact_weights > 0)
    first_weights = _release_weights(
        mechanisms,
        exact_weights,
        is_listed_and_ranked | is_named_off_list,
        n_documents=n_rows,
        sensitivity=thresholds.sensitivity,
        mu=thresholds.first.mu,
    )
    is_promising = is_off_list & (first_weights > thresholds.first.threshold)
    promising_rows = candidates.unlisted_rows[:, is_promising[is_off_list]]
    exact_weights[is_promising] = sum_word_weights(promising_rows)
    second_weights = _release_weights(
        mechanisms,
        exact_weights,
        is_listed_and_ranked | is_promising,
        n_documents=n_rows,
        sensitivity=thresholds.sensitivity,
        mu=thresholds.second.mu,
    )
    return _WeighedWords(
        first_weights=first_weights,
        second_weights=second_weights,
        is_above_threshold=is_off_list & (second_weights > thresholds.second.threshold),
    )


def _find_candidates(rows: NamingRows, selection: Selection) -> _Candidates:
    """List the words that may be selected, the public list's first, then all others met.

    The result holds the summed weights of listed words, and the rows of the others.
    Each row gives weight to at most ``max_words_per_row`` listed words, and to as many others.
    A listed word has weight 0 where nobody wrote it or it is not ``is_selectable``.
    Other words that are not selectable are left out.
    """
    column_of_word = {word: column for column, word in enumerate(rows.words) if is_selectable(word)}
    # -1, the empty column, where nobody wrote it
    listed_columns = [column_of_word.pop(word, -1) for word in selection.listed]
    counts = _with_empty_column(rows.counts)
    unlisted_words = tuple(column_of_word)
    listed_rows = limit_words_per_row(
        csr_array(counts[:, listed_columns]), selection.listed, rows.max_words_per_row
    )
    unlisted_columns = list(column_of_word.values())
    words = (*selection.listed, *unlisted_words)
    return _Candidates(
        words=words,
        is_listed=np.arange(len(words)) < len(listed_columns),
        listed_weights=sum_word_weights(listed_rows),
        unlisted_rows=limit_words_per_row(
            csr_array(counts[:, unlisted_columns]), unlisted_words, rows.max_words_per_row
        ),
    )


def _release_weights(
    mechanisms: Mechanisms,
    weights: Vector,
    is_candidate: NDArray[np.bool_],
    *,
    n_documents: int,
    sensitivity: float,
    mu: float,
) -> Vector:
    """Release the noisy weights of one round, shape (d,).

    Minus infinity for words that are no candidates.

    Args:
        mechanisms: add the noise, and keep the release.
        weights: summed weights in whole steps, (d,).
        is_candidate: mask of the words that are weighed.
        n_documents: N, which decides the step.
        sensitivity: largest L2 change of the weights by one row, in units of a weight of 1.
        mu: budget of the round.
    """
    steps_per_weight = count_resolution(n_documents)
    n_candidates = int(is_candidate.sum())
    sums = FixedPointSum.from_whole_floats(
        weights[is_candidate],
        unit=1 / steps_per_weight,
        shape=(n_candidates,),
        neighbor_distance=sensitivity * steps_per_weight,
    )
    noisy_weights = np.full(len(weights), -math.inf)
    bounded_sums = BoundedSum(sums, sums.sensitivity)
    noisy_weights[is_candidate] = mechanisms.release_sum(WEIGHTS, bounded_sums, mu=mu)
    return noisy_weights


def _score_words(
    weights: _WeighedWords, is_listed: NDArray[np.bool_], *, are_listed_ranked: bool
) -> Vector:
    """Noisy scores by which words are ranked, shape (d,).

    Words above the threshold have the second round's weights, scaled to their sum in the first
    (from a sum of 1 at least). Listed words average both rounds, with weight ``FIRST_ROUND_SHARE``
    for the first; infinity if the list is not ranked. All others have the second round's weights.
    """
    scores = weights.second_weights.copy()
    is_above_threshold = weights.is_above_threshold
    # in the first round, words off the list share a row's weight with others
    # that were not promising
    first_round_total = weights.first_weights[is_above_threshold].sum()
    second_round_total = max(scores[is_above_threshold].sum(), 1.0)
    scores[is_above_threshold] *= first_round_total / second_round_total
    if are_listed_ranked:
        first_round_of_listed = FIRST_ROUND_SHARE * weights.first_weights[is_listed]
        second_round_of_listed = (1 - FIRST_ROUND_SHARE) * scores[is_listed]
        scores[is_listed] = first_round_of_listed + second_round_of_listed
    else:
        scores[is_listed] = math.inf
    return scores


def _require_arguments(corpus: object, selection: object, noise: object) -> None:
    """Refuse arguments that words cannot be selected from; ``noise`` may be None.

    Raises:
        InputError: an argument is of another type, or the corpus's words were chosen already.
    """
    if not isinstance(corpus, Corpus):
        raise InputError("corpus", "a Corpus", f"a value of type {type(corpus).__name__}")
    if not isinstance(selection, Selection):
        raise InputError("selection", "a Selection", f"a value of type {type(selection).__name__}")
    if noise is not None and not callable(getattr(noise, "perturb", None)):
        found_type = f"a value of type {type(noise).__name__}"
        raise InputError("noise", "exact noise, or None", found_type)
    if corpus.vocabulary_source is not VocabularySource.MET:
        raise InputError(
            "corpus",
            "over every word met",
            "over words chosen already",
            "Read them with n_words=None.",
        )


def _require_room_for_slack(selection: Selection, n_documents: int) -> None:
    """Refuse noise whose distance from Gaussian noise the selection's own δ does not pay for.

    Raises:
        NotReleasable: the steps of weights are too coarse for ε and δ.
    """
    tv_slack = 0.0
    for n_numbers, noise_std in round_noise(selection, n_documents):
        tv_slack += tv_slack_of(n_numbers, noise_std)
    if tv_slack > max_tv_slack(selection.epsilon, selection.delta):
        raise NotReleasable(
            "noise on words would be too fine for its grid", "Choose a smaller ε for the words."
        )


def restrict_to_selected(
    corpus: Corpus, selected: SelectionOutcome, selection: Selection
) -> Corpus:
    """Restrict a corpus to the words that a selection took.

    Raises:
        CorpusError: the selection took fewer than two words.
    """
    if len(selected.words) < 2:
        threshold = selection_thresholds(selection).second.threshold
        raise CorpusError(
            f"Too few words weigh {threshold:,.0f} or more in the {corpus.unit}s:"
            f" {len(selected.words)} passed",
            "Give more documents, a larger ε or δ, or a list of words.",
        )
    return restrict_to_words(corpus, selected.words, selection)


def is_selectable(word: str) -> bool:
    """Whether a file of a release could name this word.

    It could if the word has 1 to ``MAX_WORD_CHARACTERS`` characters, none of which is a surrogate
    (half of a character, which UTF-8 cannot write).
    """
    has_surrogate = not word.isascii() and _SURROGATE.search(word) is not None
    return 0 < len(word) <= MAX_WORD_CHARACTERS and not has_surrogate


def restrict_to_words(corpus: Corpus, words: tuple[str, ...], selection: Selection) -> Corpus:
    """Restrict a corpus to words that a selection took from it before.

    A word that nobody wrote has no counts, and documents without any of the words stay, empty.
    Label, name and persons stay; ``origin`` is the corpus as it was read. The intake's numbers of
    short documents and of kept words are counted again.
    """
    counts = counts_of_words(corpus, words)
    document_lengths = counts.sum(axis=1, dtype=np.int64)
    intake = corpus.intake
    if intake is not None:
        n_short = int((document_lengths < MIN_WORDS).sum())
        n_tokens = int(document_lengths.sum())
        intake = replace(intake, n_short=n_short, n_tokens_kept=n_tokens)
    return Corpus(
        counts,
        words,
        label=corpus.label,
        name=corpus.name,
        vocabulary_source=VocabularySource.SELECTED,
        intake=intake,
        persons=corpus.persons,
        of_persons=corpus.of_persons,
        selection=selection,
        origin=corpus.as_read,
    )


def counts_of_words(corpus: Corpus, words: Sequence[str]) -> Counts:
    """Counts of some words in every document, shape (N, d); of a word that nobody wrote, none.

    Args:
        corpus: the documents, over any words.
        words: the ``d`` words, in the order of the columns.
    """
    column_of_word = {word: column for column, word in enumerate(corpus.vocabulary)}
    columns = [column_of_word.get(word, -1) for word in words]
    extended_counts = _with_empty_column(corpus.counts)
    counts: Counts = extended_counts[:, columns]
    return counts


def _with_empty_column(counts: Counts) -> Counts:
    """Counts with one column more, the last, for words that nobody wrote."""
    n_rows = counts.shape[0]
    empty_column = csr_array((n_rows, 1), dtype=counts.dtype)
    extended_counts: Counts = hstack([counts, empty_column], format="csr")
    return extended_counts


def round_noise(selection: Selection, n_documents: int) -> list[tuple[int, float]]:
    """Bounds on the discrete noise of each round, from public numbers alone.

    The number of words that occur is not public. More than ``MAX_DISCRETE_NUMBERS`` words get
    rounded normal noise, which is closer to Gaussian, so this number bounds all.

    Args:
        selection: how words are selected.
        n_documents: number of documents, or of persons where they are protected.

    Returns:
        For each round: how many words get discrete noise at most, and its standard deviation in
        steps.
    """
    rounds = selection_thresholds(selection)
    most_noisy_words = n_documents * MAX_WORDS_PER_ROW + len(selection.listed)
    # more numbers get rounded noise, which is closer
    n_discrete = min(most_noisy_words, MAX_DISCRETE_NUMBERS)
    steps_per_weight = count_resolution(n_documents)
    return [
        (n_discrete, selection_round.noise_std * steps_per_weight)
        for selection_round in (rounds.first, rounds.second)
    ]
