"""A corpus: who may see it, its word counts, its words, and the truth where it is known."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from dplda.core import checks
from dplda.core.errors import CorpusError, InputError
from dplda.core.formatting import counted
from dplda.core.types import Counts, Matrix, Vector
from dplda.corpus.counts import AnyCounts, canonical_counts
from dplda.corpus.group_columns import GroupColumn, TrueGroups, checked_columns
from dplda.corpus.persons import Persons, checked
from dplda.corpus.read_summary import Intake
from dplda.corpus.words.reading import FIRST_READING, READING
from dplda.corpus.words.word_lists import WordList

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
MOST_COLUMNS = 2**31 - 1  # of an index in 32 bits


class Label(StrEnum):
    """How a corpus was declared when it came in; results beside exact ones are free for the first two.

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
    """Where the words come from: part of the guarantee, since the vocabulary is part of the output.

    Example:
        >>> from dplda.corpus import Corpus, Label
        >>> print(Corpus.from_counts([[2, 1], [0, 3], [1, 1]], label=Label.PUBLIC, name="numbered").vocabulary_source)
        fixed
    """

    FIXED = "fixed"
    FROM_DATA = "taken from the data"
    MET = "every word met"
    SELECTED = "selected privately"


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The parameters that a simulated corpus was drawn from.

    Attributes:
        topics: shape (k, d), rows on the simplex, in the order of ``alpha``.
        alpha: ``α``, shape (k,), Dirichlet parameters, largest first; they sum to ``α0``.
        titles: what each topic is called; empty where they have no names.
        groups: districts and months that the documents were drawn into; empty where there are none.

    Example:
        >>> import dplda
        >>> corpus = dplda.simulate(n_documents=10, n_words=6, n_topics=2, alpha0=0.5, mean_length=9, seed=0)
        >>> corpus.truth.topics.shape, float(corpus.truth.alpha.sum())
        ((2, 6), 0.5)
    """

    topics: Matrix
    alpha: Vector
    titles: tuple[str, ...] = ()
    groups: tuple[TrueGroups, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """Listed words, and others that weigh enough by noisy numbers; ``dplda.privacy.word_selection.thresholds`` says what that costs.

    Attributes:
        n_words: ``d``, how many words to take at most, at least 2. Where the list is longer, noise ranks its words too.
        epsilon, delta: of the selection. A larger δ finds more words: 1e-5 about twice as many as 1e-8.
        listed: words of a public list, as text is read; they need no threshold.

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
        checks.plain(self)
        checks.integer_between("n_words", self.n_words, 2, MOST_COLUMNS)
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
        """The same selection with its list as reading 1 took it."""
        if not isinstance(self.listed, WordList) or self.listed.former is None:
            return self
        return replace(self, listed=self.listed.former)

    @property
    def ranks(self) -> bool:
        """Whether the list is too long to be taken whole."""
        return self.n_words < len(self.listed)

    @property
    def said(self) -> str:
        """Everything that changes the result, as text, with a digest of the list."""
        words = "\n".join(self.listed).encode("utf-8", "surrogatepass")
        return f"{self!r} {hashlib.sha256(words).hexdigest()}" if words else repr(self)


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Documents as counts of words.

    Attributes:
        counts: shape (N, d), any matrix of counts, which is copied into canonical CSR (sorted, duplicates summed, no
            stored zero), read-only.
        vocabulary: the ``d`` distinct words, in column order.
        persons: whose each document is, shape (N,), renumbered from 0 in the order in which they are met.
        of_persons: whether a document of it is all documents of a person.
        selection: how its words were selected privately.
        origin: the corpus as it was read, where persons' documents were read as one or words selected since.
        texts: a number of each document's text (``number_of``), shape (N,), where sensitive documents were read.
        reading: the version of the reading that made it of texts (``words.reading``).
        former: the same documents as reading 1 reads them; None where that is no different, or nobody asked.
        group_columns: labels of documents, by which results can be grouped; no part of the digest.
        digest: SHA-256 of all but label, name, truth and intake, in hexadecimal: a key for caches.

    Raises:
        CorpusError: fewer than 3 documents or 2 words, or parts that do not fit each other.

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
        self._check_types()
        counts = canonical_counts(self.counts)
        vocabulary = _listed(self.vocabulary)
        check_shape(counts.shape, vocabulary)
        if self.reading == READING:  # a former reading may hold half characters
            check_characters(vocabulary, self.name)
        if self.truth is not None and self.truth.topics.shape[1] != counts.shape[1]:
            problem = f"The true topics have {self.truth.topics.shape[1]:,} words, the counts {counts.shape[1]:,}"
            raise CorpusError(problem, "Give topics over the same vocabulary.")
        label = checks.one_of("label", self.label, Label)
        source = checks.one_of("vocabulary_source", self.vocabulary_source, VocabularySource)
        if (self.selection is not None) != (source is VocabularySource.SELECTED):
            raise CorpusError(
                "A private selection and its word list belong together", "Give both or neither."
            )
        persons = checked(self.persons, counts.shape[0])
        group_columns = checked_columns(self.group_columns, counts.shape[0])
        object.__setattr__(self, "group_columns", group_columns)
        arrays = ((counts.indptr, "<i8"), (counts.indices, "<i4"), (counts.data, "<i4"))
        parts = ([np.ascontiguousarray(array, dtype=stored_as).data] for array, stored_as in arrays)
        special = self.of_persons or self.selection is not None
        promised = (
            repr((self.of_persons, self.selection and self.selection.said)) if special else ""
        )
        fields = ("counts", "vocabulary", "label", "vocabulary_source", "persons", "digest")
        digest = digest_of(counts.shape, parts, vocabulary, persons, promised)
        for name, value in zip(
            fields, (counts, vocabulary, label, source, persons, digest), strict=True
        ):
            object.__setattr__(self, name, value)

    def _check_types(self) -> None:
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
            vocabulary: the ``d`` words; None numbers them ``w0000``, ``w0001``, …, which is a fixed list.
            vocabulary_source: where the columns come from. Unless said otherwise, from the data where there is a
                vocabulary or the corpus is sensitive, and fixed where a public matrix has numbered columns.
        """
        counts = canonical_counts(matrix)
        words = numbered_words(counts.shape[1]) if vocabulary is None else _listed(vocabulary)
        if vocabulary_source is None:
            numbered = (
                vocabulary is None and checks.one_of("label", label, Label) is not Label.SENSITIVE
            )
            vocabulary_source = VocabularySource.FIXED if numbered else VocabularySource.FROM_DATA
        return cls(
            counts, words, label, name, vocabulary_source, persons=checked(persons, counts.shape[0])
        )

    def in_memory(self) -> "Corpus":
        """Itself: a corpus in a folder has to be read first."""
        return self

    def by_person(self) -> "Corpus":
        """The documents of every person read as one, in the order in which persons are met; shape (persons, d).

        Replacing a document of it replaces all documents of a person, and N is the number of persons.
        """
        if self.persons is None or self.n_persons is None:
            raise CorpusError(
                "No column says who wrote the documents", "Name the column that holds persons."
            )
        ones, rows = np.ones(self.n_documents, dtype=np.int64), np.arange(self.n_documents)
        whose = csr_array((ones, (self.persons, rows)), shape=(self.n_persons, self.n_documents))
        counts, origin = csr_array(whose @ self.counts), self.as_read
        return replace(
            self,
            counts=counts,
            truth=None,
            persons=None,
            of_persons=True,
            origin=origin,
            texts=None,
            former=None,
            group_columns=(),
        )

    def labels_in(self, column: str) -> list[str]:
        """The label of every document in a column that was read as labels; "" for none.

        Args:
            column: name of the column, one of ``groups`` of ``dplda.load``; of simulated documents
                ``district`` or ``month``.

        Raises:
            CorpusError: no such column was read.
        """
        checks.text("column", column)
        for group_column in self.columns_to_group_by:
            if group_column.name == column:
                return group_column.labels
        raise CorpusError(
            f"No labels were read in a column {column!r}", "Name it in groups=[…] of dplda.load."
        )

    @property
    def columns_to_group_by(self) -> tuple[GroupColumn, ...]:
        """Columns of labels that were read, or else those that simulated documents were drawn with."""
        if self.group_columns or self.truth is None:
            return self.group_columns
        columns = (groups.column for groups in self.truth.groups)
        return tuple(column for column in columns if len(column.codes) == self.n_documents)

    @property
    def as_read(self) -> "Corpus":
        """The corpus before persons' documents were read as one, or words selected: itself where nothing was done."""
        return self if self.origin is None else self.origin

    @property
    def readings(self) -> "tuple[Corpus, ...]":
        """The corpus as it was read, and as reading 1 reads it where that differs."""
        read = self.as_read
        return (read,) if read.former is None else (read, read.former)

    @property
    def unit(self) -> str:
        """Name of a row: ``document``, or ``person`` for all documents of one person."""
        return "person" if self.of_persons else "document"

    @property
    def n_documents(self) -> int:
        """``N``, documents, short and empty ones included."""
        return int(self.counts.shape[0])

    @property
    def n_words(self) -> int:
        """``d``, words of the vocabulary."""
        return int(self.counts.shape[1])

    @property
    def n_persons(self) -> int | None:
        """How many persons the documents are of; None where that is not known."""
        return None if self.persons is None else int(self.persons.max()) + 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Vocabulary words in each document, repeats counted, shape (N,)."""
        return np.asarray(self.counts.sum(axis=1, dtype=np.int64))


def _listed(vocabulary: Sequence[str]) -> tuple[str, ...]:
    words: object = vocabulary
    if isinstance(words, str) or not isinstance(words, Iterable) or getattr(words, "ndim", 1) != 1:
        raise CorpusError("The vocabulary is no list of words", "Give one word per column.")
    return tuple(vocabulary)


def numbered_words(n_words: int) -> tuple[str, ...]:
    """Name ``d`` words that have no names: ``w0000``, ``w0001``, … with as many digits as needed."""
    width = max(4, len(str(n_words - 1)))
    return tuple(f"w{index:0{width}}" for index in range(n_words))


def check_shape(shape: tuple[int, int], vocabulary: tuple[str, ...]) -> None:
    """Refuses fewer than 3 documents or 2 words, and a list of words of another length or that repeats a word."""
    n_documents, n_words = shape
    if n_documents < 3:
        raise CorpusError(f"The corpus has {counted(n_documents, 'document')}", "Give at least 3.")
    if n_words < 2:
        raise CorpusError(f"The vocabulary has {n_words} words", "Give at least 2.")
    if len(vocabulary) != n_words:
        problem = f"The vocabulary has {len(vocabulary):,} words, the counts {n_words:,} columns"
        raise CorpusError(problem, "Give one word per column.")
    if not all(isinstance(word, str) for word in vocabulary):
        raise CorpusError(
            "The vocabulary holds something that is no text", "Give one word per column."
        )
    n_distinct = len(set(vocabulary))
    if n_distinct < n_words:
        problem = (
            f"The vocabulary repeats itself: {n_words:,} words, {n_distinct:,} of them distinct"
        )
        raise CorpusError(problem, "List each word once.")


def check_characters(vocabulary: tuple[str, ...], name: str) -> None:
    """Refuses words or a name with half a character (a lone surrogate), which no file and no page can hold."""
    fix = 'Write "\\ufffd" in its place.'
    if _HALF_CHARACTER.search(name):
        raise CorpusError("The name of the corpus holds half a character", fix)
    if _HALF_CHARACTER.search("\n".join(vocabulary)):
        odd = next(place for place, word in enumerate(vocabulary) if _HALF_CHARACTER.search(word))
        raise CorpusError(f"Word {odd + 1:,} of the vocabulary holds half a character", fix)


def digest_of(
    shape: tuple[int, int],
    arrays: Iterable[Iterable[bytes | memoryview]],
    vocabulary: tuple[str, ...],
    persons: Persons | None = None,
    promised: str = "",
) -> str:
    """SHA-256 of a corpus, in hexadecimal; of its ends of rows (``<i8``), columns and counts (``<i4``) in pieces."""
    parts = hashlib.sha256(repr(shape).encode())
    for piece in chain.from_iterable(arrays):
        parts.update(piece)
    encoded_words = (word.encode("utf-8", "surrogatepass") for word in vocabulary)
    parts.update(b"".join(len(word).to_bytes(8, "little") + word for word in encoded_words))
    if persons is not None:
        parts.update(b"persons" + np.ascontiguousarray(persons, dtype="<i8").data)
    parts.update(promised.encode())
    return parts.hexdigest()
