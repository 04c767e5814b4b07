"""A corpus: who may see it, its word counts, its words, and the truth where it is known."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from dplda.core import checks
from dplda.core.errors import CorpusError, InputError, quoted
from dplda.core.types import Counts, Matrix, Vector
from dplda.corpus.counts import AnyCounts, canonical_counts
from dplda.corpus.group_columns import GroupColumn, TrueGroups, check_columns
from dplda.corpus.persons import Persons, check_persons
from dplda.corpus.read_summary import Intake
from dplda.corpus.vocabulary_checks import (
    as_word_tuple,
    check_characters,
    check_shape,
    numbered_words,
)
from dplda.corpus.words.reading import FIRST_READING, READING
from dplda.corpus.words.word_lists import WordList

MAX_COLUMNS = 2**31 - 1  # of an index in 32 bits


class Label(StrEnum):
    """Declared origin of a corpus.

    Exact results of simulated and public corpora may be shown beside private ones.

    Example:
        >>> from dplda import Corpus, Label
        >>> Corpus.from_counts([[2, 1], [0, 3], [1, 1]], label=Label.SENSITIVE, name="mail").label
        <Label.SENSITIVE: 'sensitive'>
    """

    SIMULATED = "simulated"
    PUBLIC = "public"
    SENSITIVE = "sensitive"

    @classmethod
    def _missing_(cls, value: object) -> "Label":
        raise InputError(
            "label", "simulated, public or sensitive", f"another {type(value).__name__}"
        )


class VocabularySource(StrEnum):
    """Origin of the words. It is part of the guarantee, since the vocabulary is part of the output.

    Example:
        >>> from dplda.corpus import Corpus, Label
        >>> counts = [[2, 1], [0, 3], [1, 1]]
        >>> print(Corpus.from_counts(counts, label=Label.PUBLIC, name="cups").vocabulary_source)
        fixed
    """

    FIXED = "fixed"
    FROM_DATA = "taken from the data"
    MET = "every word met"
    SELECTED = "selected privately"


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """Parameters that a simulated corpus was drawn from.

    Attributes:
        topics: shape (k, d), rows on the simplex, in the order of ``alpha``.
        alpha: ``α``, shape (k,), Dirichlet parameters, largest first; they sum to ``α0``.
        titles: name of each topic; empty if they have none.
        groups: districts and months that the documents were drawn into; empty if there are none.

    Example:
        >>> import dplda
        >>> corpus = dplda.simulate(
        ...     n_documents=10, n_words=6, n_topics=2, alpha0=0.5, mean_length=9, seed=0
        ... )
        >>> corpus.truth.topics.shape, float(corpus.truth.alpha.sum())
        ((2, 6), 0.5)
    """

    topics: Matrix
    alpha: Vector
    titles: tuple[str, ...] = ()
    groups: tuple[TrueGroups, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """Private selection of a vocabulary: listed words, and other words that enough documents use.

    ``dplda.privacy.word_selection.thresholds`` gives its guarantee.

    Attributes:
        n_words: ``d``, largest number of words to select, at least 2. Of a longer list, the words
            with the largest noisy weights are selected.
        epsilon, delta: budget of the selection. A larger δ finds more words: 1e-5 about twice as
            many as 1e-8.
        listed: words of a public list, as text is read; they need no threshold.

    Raises:
        InputError: a field is out of its range, or ``listed`` is no tuple of distinct words.

    Example:
        >>> from dplda.corpus import Selection
        >>> Selection(n_words=500, epsilon=0.2)
        Selection(n_words=500, epsilon=0.2, delta=1e-08)
    """

    n_words: int = 3000
    epsilon: float = 0.5
    delta: float = 1e-8
    listed: tuple[str, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        """Refuse numbers out of range, and a list that is no tuple of distinct words.

        ``n_words`` is a whole number from 2 to ``MAX_COLUMNS``.
        A ``WordList`` of distinct words passes too. An empty list or an empty word is not refused.
        Numbers of NumPy become Python's.

        Raises:
            InputError: a field is refused.
        """
        checks.plain(self)
        checks.integer_between("n_words", self.n_words, 2, MAX_COLUMNS)
        checks.epsilon(self.epsilon)
        checks.delta(self.delta)
        if not isinstance(self.listed, WordList):
            words: object = self.listed
            if not isinstance(words, tuple) or not all(isinstance(word, str) for word in words):
                raise InputError("listed", "a tuple of words", "something else")
        if len(set(self.listed)) < len(self.listed):
            raise InputError("listed", "a list of distinct words", "a repetition")

    @property
    def former(self) -> "Selection":
        """The same selection with its list as reading 1 took it.

        Itself if that list is no different.
        """
        if not isinstance(self.listed, WordList) or self.listed.former is None:
            return self
        return replace(self, listed=self.listed.former)

    @property
    def ranks(self) -> bool:
        """Whether there are more listed words than may be selected, so noisy weights choose."""
        return self.n_words < len(self.listed)

    @property
    def identity(self) -> str:
        """Text of every field that changes the result.

        A list of words stands in it as its SHA-256.
        """
        list_bytes = "\n".join(self.listed).encode("utf-8", "surrogatepass")
        if not list_bytes:
            return repr(self)
        return f"{self!r} {hashlib.sha256(list_bytes).hexdigest()}"


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Documents as counts of words.

    Attributes:
        counts: shape (N, d), any matrix of counts, which is copied into canonical CSR (sorted,
            duplicates summed, no stored zero), read-only.
        vocabulary: the ``d`` distinct words, in column order.
        label: declared origin; it decides whether exact results may be shown.
        name: what the corpus is called on pages and in files; no part of the digest.
        vocabulary_source: origin of the words.
        truth: parameters that the documents were drawn from; None unless simulated.
        intake: summary of what was read and left out; None if no text was read.
        persons: the person of each document, shape (N,), renumbered from 0 in the order in which
            persons are met; None if unknown.
        of_persons: whether each row holds all documents of one person.
        selection: private selection of its words; None for words of any other source.
        origin: the corpus as it was read, if rows were joined by person or words selected since.
        texts: a number for each document's text (``number_of``), shape (N,), if sensitive text was
            read; else None.
        reading: version of the rules by which text was read (``words.reading``).
        former: the same documents as reading 1 reads them; None if nothing differs or if it was
            not asked for.
        group_columns: labels of documents, by which results can be grouped; no part of the digest.
        digest: SHA-256 in hexadecimal of counts, vocabulary, persons and, of joined or selected
            corpora, how they came about: a key for caches.

    Raises:
        CorpusError: fewer than 3 documents or 2 words, or parts that do not fit each other.
        InputError: a part is of the wrong type.

    Example:
        >>> from dplda import Corpus, Label
        >>> counts, words = [[2, 1, 0], [0, 3, 1], [1, 1, 1]], ["tea", "milk", "sugar"]
        >>> corpus = Corpus.from_counts(counts, words, label=Label.PUBLIC, name="cups")
        >>> corpus.n_documents, corpus.n_words, corpus.lengths.tolist()
        (3, 3, [3, 4, 3])
    """

    counts: Counts
    vocabulary: tuple[str, ...]
    label: Label
    name: str
    vocabulary_source: VocabularySource
    truth: Truth | None = None
    intake: Intake | None = None
    persons: Persons | None = None
    of_persons: bool = False
    selection: Selection | None = None
    origin: "Corpus | None" = field(default=None, repr=False)
    texts: NDArray[np.uint64] | None = field(default=None, repr=False)
    reading: int = READING
    former: "Corpus | None" = field(default=None, repr=False)
    group_columns: tuple[GroupColumn, ...] = field(default=(), repr=False)
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        """Refuse fields that do not fit, copy them into read-only ones, and compute the digest.

        A private selection needs the source ``SELECTED``, and that source a selection. Halves of
        characters are refused, but for words of a former reading.

        Raises:
            CorpusError: counts, words, truth, persons or labels do not fit, there are fewer than 3
                documents or 2 words, or a selection and its source do not go together.
            InputError: a field has another type or value than declared.
        """
        self._check_types()
        counts = canonical_counts(self.counts)
        vocabulary = as_word_tuple(self.vocabulary)
        check_shape(counts.shape, vocabulary)
        if self.reading == READING:  # a former reading may hold half characters
            check_characters(vocabulary, self.name)
        self._check_truth(counts.shape[1])
        label = checks.one_of("label", self.label, Label)
        source = checks.one_of("vocabulary_source", self.vocabulary_source, VocabularySource)
        if (self.selection is not None) != (source is VocabularySource.SELECTED):
            raise CorpusError(
                "A private selection and its word list belong together", "Give both or neither."
            )
        persons = check_persons(self.persons, counts.shape[0])
        group_columns = check_columns(self.group_columns, counts.shape[0])
        object.__setattr__(self, "counts", counts)
        object.__setattr__(self, "vocabulary", vocabulary)
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "vocabulary_source", source)
        object.__setattr__(self, "persons", persons)
        object.__setattr__(self, "group_columns", group_columns)
        object.__setattr__(self, "digest", self._digest())

    def _check_truth(self, n_words: int) -> None:
        """Refuse true topics over another number of words; no truth passes."""
        if self.truth is not None and self.truth.topics.shape[1] != n_words:
            n_true_words = self.truth.topics.shape[1]
            problem = f"The true topics have {n_true_words:,} words, the counts {n_words:,}"
            raise CorpusError(problem, "Give topics over the same vocabulary.")

    def _digest(self) -> str:
        """SHA-256 of the checked fields that change a guarantee or a result.

        They are counts, vocabulary and persons, whether rows are persons, and every field of the
        private selection. No other field counts: not label, name, truth, texts or group columns.
        """
        counts = self.counts
        arrays_by_type = ((counts.indptr, "<i8"), (counts.indices, "<i4"), (counts.data, "<i4"))
        pieces = (
            [np.ascontiguousarray(array, dtype=stored_type).data]
            for array, stored_type in arrays_by_type
        )
        derivation = ""
        if self.of_persons or self.selection is not None:
            selection_identity = self.selection and self.selection.identity
            derivation = repr((self.of_persons, selection_identity))
        return corpus_digest(counts.shape, pieces, self.vocabulary, self.persons, derivation)

    def _check_types(self) -> None:
        """Refuse an unknown version of reading, and fields of another type than declared.

        Fields that hold an object may be None.
        Counts, vocabulary, persons, label and source of the vocabulary are checked elsewhere.

        Raises:
            InputError: a field is refused.
        """
        checks.text("name", self.name)
        for field_name, kind in (
            ("truth", Truth),
            ("intake", Intake),
            ("selection", Selection),
            ("origin", Corpus),
            ("former", Corpus),
            ("texts", np.ndarray),
        ):
            checks.instance(field_name, getattr(self, field_name), kind, may_be_none=True)
        checks.flag("of_persons", self.of_persons)
        checks.integer_between("reading", self.reading, FIRST_READING, READING)

    @classmethod
    def from_counts(
        cls,
        matrix: AnyCounts,
        vocabulary: Sequence[str] | None = None,
        *,
        label: Label,
        name: str,
        vocabulary_source: VocabularySource | None = None,
        persons: ArrayLike | None = None,
    ) -> "Corpus":
        """Make a corpus of a matrix of counts.

        Args:
            matrix: shape (N, d), dense or any SciPy sparse format, N ≥ 3, d ≥ 2; whole numbers ≥ 0.
            vocabulary: the ``d`` words; None numbers them ``w0000``, ``w0001``, …
            label: declared origin; it decides whether exact results may be shown.
            name: what the corpus is called on pages and in files.
            vocabulary_source: origin of the columns. None stands for a fixed list if columns are
                numbered and the corpus is not sensitive, and for words taken from the data
                otherwise.
            persons: whole number for each document, the same for all documents of one person.

        Raises:
            CorpusError: an entry is no count, or parts do not fit each other.
            InputError: a part is of the wrong type.
        """
        counts = canonical_counts(matrix)
        words = numbered_words(counts.shape[1]) if vocabulary is None else as_word_tuple(vocabulary)
        if vocabulary_source is None:
            columns_are_fixed = (
                vocabulary is None and checks.one_of("label", label, Label) is not Label.SENSITIVE
            )
            vocabulary_source = (
                VocabularySource.FIXED if columns_are_fixed else VocabularySource.FROM_DATA
            )
        return cls(
            counts,
            words,
            label,
            name,
            vocabulary_source,
            persons=check_persons(persons, counts.shape[0]),
        )

    def in_memory(self) -> "Corpus":
        """The corpus itself; counterpart of ``StoredCorpus.in_memory``, which reads files."""
        return self

    def by_person(self) -> "Corpus":
        """Join the documents of each person into one row, in the order in which persons are met.

        Replacing a row of the result replaces all documents of a person, and N is the number of
        persons. Persons, truth, numbers of texts, the former reading and group columns are dropped.

        Raises:
            CorpusError: the persons of the documents are unknown, or the rows are persons already.
        """
        if self.persons is None or self.n_persons is None:
            raise CorpusError(
                "No column says who wrote the documents", "Name the column that holds persons."
            )
        ones = np.ones(self.n_documents, dtype=np.int64)
        document_indexes = np.arange(self.n_documents)
        shape = (self.n_persons, self.n_documents)
        membership = csr_array((ones, (self.persons, document_indexes)), shape=shape)
        return replace(
            self,
            counts=csr_array(membership @ self.counts),
            truth=None,
            persons=None,
            of_persons=True,
            origin=self.as_read,
            texts=None,
            former=None,
            group_columns=(),
        )

    def labels_in(self, column: str) -> list[str]:
        """Label of every document in one of ``columns_to_group_by``.

        "" for a document without a label.

        Args:
            column: name of the column: one of ``groups`` of ``dplda.load``, or ``district`` or
                ``month`` of simulated documents.

        Raises:
            CorpusError: no such column was read.
            InputError: the name is no text.
        """
        checks.text("column", column)
        for group_column in self.columns_to_group_by:
            if group_column.name == column:
                return group_column.labels
        raise CorpusError(
            f"No labels were read in a column {quoted(column)!r}",
            "Name it in groups=[…] of dplda.load.",
        )

    @property
    def columns_to_group_by(self) -> tuple[GroupColumn, ...]:
        """Columns of labels that were read, or else those that simulated documents were drawn with.

        Of the latter, columns that do not fit the number of documents are left out.
        """
        if self.group_columns or self.truth is None:
            return self.group_columns
        columns = (groups.column for groups in self.truth.groups)
        return tuple(column for column in columns if len(column.codes) == self.n_documents)

    @property
    def as_read(self) -> "Corpus":
        """The corpus before rows were joined by person or words selected.

        Itself if neither was done.
        """
        return self if self.origin is None else self.origin

    @property
    def readings(self) -> "tuple[Corpus, ...]":
        """The corpus as it was read, then as reading 1 reads it if that differs."""
        corpus = self.as_read
        return (corpus,) if corpus.former is None else (corpus, corpus.former)

    @property
    def unit(self) -> str:
        """Protected unit that a row holds: ``document``, or ``person`` for all documents of one."""
        return "person" if self.of_persons else "document"

    @property
    def n_documents(self) -> int:
        """Number of rows, ``N``: documents or persons, short and empty ones included."""
        return int(self.counts.shape[0])

    @property
    def n_words(self) -> int:
        """Size of the vocabulary, ``d``."""
        return int(self.counts.shape[1])

    @property
    def n_persons(self) -> int | None:
        """Number of persons whose documents these are; None if unknown."""
        return None if self.persons is None else int(self.persons.max()) + 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of vocabulary words in each document, repeats counted, shape (N,)."""
        return np.asarray(self.counts.sum(axis=1, dtype=np.int64))


def corpus_digest(
    shape: tuple[int, int],
    arrays: Iterable[Iterable[bytes | memoryview]],
    vocabulary: tuple[str, ...],
    persons: Persons | None = None,
    derivation: str = "",
) -> str:
    """SHA-256 of a corpus, in hexadecimal, from arrays that may come in pieces.

    Args:
        shape: (N, d).
        arrays: pieces of row ends (little-endian ``<i8``), columns and counts (both ``<i4``) of
            canonical CSR, in this order.
        vocabulary: words in column order.
        persons: the person of each document; None leaves them out.
        derivation: text on rows joined by person and on a selection of words; "" for neither.
    """
    hasher = hashlib.sha256(repr(shape).encode())
    for piece in chain.from_iterable(arrays):
        hasher.update(piece)
    encoded_words = (word.encode("utf-8", "surrogatepass") for word in vocabulary)
    hasher.update(b"".join(len(word).to_bytes(8, "little") + word for word in encoded_words))
    if persons is not None:
        hasher.update(b"persons" + np.ascontiguousarray(persons, dtype="<i8").data)
    hasher.update(derivation.encode())
    return hasher.hexdigest()
