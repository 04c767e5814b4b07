"""Read a file of documents into a corpus: one pass, bounded memory, every refusal with its place."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeAlias

from dplda import _check
from dplda._types import Report
from dplda.corpus.corpus import Corpus, Label, VocabularySource
from dplda.corpus.readers import bag, delimited, jsonl, lines, uci, word_list
from dplda.corpus.readers.columns import Columns
from dplda.corpus.readers.counting import Counted, DocumentCounter
from dplda.corpus.readers.decoding import TextSource
from dplda.corpus.readers.document import Document
from dplda.corpus.readers.gzipped import Inflated
from dplda.corpus.readers.limits import Limits
from dplda.corpus.vocabulary import fixed_list
from dplda.errors import ReadError

Readable: TypeAlias = str | Path | tuple[str, BinaryIO]
"""A path, or the name of a file and the file, open for reading bytes."""

Reader: TypeAlias = Callable[[TextSource, Columns], Iterator[Document]]
"""From a file and the columns or keys that hold text and person to documents, one after the other."""


def _lines(source: TextSource, columns: Columns) -> Iterator[Document]:
    if columns.person is not None:
        raise ReadError(
            source.name, "plain text has no column that says whose a document is", "Give CSV or JSON lines."
        )
    return lines.documents(source)


_tabbed = partial(delimited.documents, delimiter="\t")
READERS: dict[str, Reader] = {
    ".txt": _lines,
    ".text": _lines,
    ".csv": delimited.documents,
    ".tsv": _tabbed,
    ".tab": _tabbed,
    ".jsonl": jsonl.documents,
    ".ndjson": jsonl.documents,
    ".json": jsonl.documents,
}
"""What reads a file of documents, by the ending of its name; whatever lists formats asks here."""

_REPORT_EVERY = 2000  # documents
_GZIP = ".gz"


def load(
    source: Readable,
    *,
    text: str | None = None,
    person: str | None = None,
    label: Label,
    name: str | None = None,
    vocabulary: Iterable[str] | None = None,
    n_words: int = 1000,
    limits: Limits | None = None,
    encoding: str | None = None,
    words: Readable | None = None,
    report: Report | None = None,
) -> Corpus:
    r"""Read plain text with one document a line, CSV or TSV with a header, JSON lines, or a UCI bag of words.

    The format follows from the name: ``docword*.txt`` is a bag of words, and so is whatever comes with a list of
    ``words``; else from the suffix (``.txt``, ``.csv``, ``.tsv``, ``.jsonl``, ``.ndjson``, ``.json``) and, for any
    other, from the first line. Each of them may be packed with gzip and then has the suffix ``.gz`` besides.
    Documents with fewer than three words of the vocabulary, empty ones too, are kept: their number ``N`` is public,
    and they contribute zero.

    Args:
        source: a path, or a name and an open binary file, which is left open.
        text: the column or key that holds the documents; None takes the only one, or one named ``text``.
        person: the column or key that says whose a document is, so that a person with several documents can be
            protected; names that differ in case or white space only are one person. The corpus holds numbers in
            the place of names. None where it is not asked.
        label: simulated, public or sensitive.
        name: shown to people; None takes the name of the file.
        vocabulary: a fixed list of words; None takes the words that occur in most documents, English stop
            words left out, which makes the result not private where the corpus is sensitive.
        n_words: ``d``, how many words to take from the data, at least 2.
        limits: bounds on what is accepted; None takes the defaults.
        encoding: name of a codec; None accepts UTF-8, and UTF-16 with a byte-order mark.
        words: the file that names the words of a bag of words, one a line; None takes ``vocab*.txt`` beside it.
        report: called with progress.

    Returns:
        A corpus with its intake. No text is kept besides the words of the vocabulary.

    Raises:
        InputError: a parameter out of range.
        ReadError: a file that cannot be read, with the row or byte where that shows.
        CorpusError: nothing left after reading: no words, or fewer than 3 documents.

    Example:
        >>> import io
        >>> import dplda
        >>> text = io.BytesIO(b"green tea with milk\nblack tea with milk\nmilk without tea\n")
        >>> corpus = dplda.load(("cups.txt", text), label="public", vocabulary=["tea", "milk", "sugar"])
        >>> corpus.vocabulary, corpus.counts.toarray().tolist()
        (('tea', 'milk', 'sugar'), [[1, 1, 0], [1, 1, 0], [1, 1, 0]])
    """
    _check.integer_at_least("n_words", n_words, 2)
    limits = limits or Limits()
    fixed = None if vocabulary is None else fixed_list(vocabulary)
    with _opened(source) as (file_name, binary):
        text_source = TextSource(file_name, binary, limits, encoding)
        if words is not None or uci.is_named(file_name):
            if person is not None:
                fix = "Leave it out, or make the corpus with Corpus.from_counts(..., persons=...)."
                raise ReadError(file_name, "a bag of words has no column that says whose a document is", fix)
            counted = _bag(text_source, source, words, fixed, n_words, report)
        else:
            counted = _texts(text_source, Columns(text, person), fixed, n_words, report)
    table = counted.table
    return Corpus(
        counts=table.counts,
        vocabulary=table.words,
        label=label,
        name=file_name if name is None else name,
        vocabulary_source=VocabularySource.FROM_DATA if fixed is None else VocabularySource.FIXED,
        intake=counted.intake,
        persons=counted.persons,
    )


def _texts(
    source: TextSource, columns: Columns, fixed: tuple[str, ...] | None, n_words: int, report: Report | None
) -> Counted:
    counter = DocumentCounter(source.name, fixed, source.limits, persons=columns.person is not None)
    for document in _documents(source, columns):
        counter.add(document)
        if report is not None and counter.n_read % _REPORT_EVERY == 0:
            report(source.share_read, f"Read {counter.n_read:,} documents")
    if report is not None:
        report(1.0, f"Read {counter.n_read:,} documents")
    table = counter.table(n_words)
    return Counted(table, counter.intake(table), counter.persons())


def _bag(
    source: TextSource,
    where: Readable,
    words: Readable | None,
    fixed: tuple[str, ...] | None,
    n_words: int,
    report: Report | None,
) -> Counted:
    with _opened(_word_list(where, words)) as (list_name, binary):
        entries = uci.read(source, report)
        listed = word_list.read(TextSource(list_name, binary, source.limits), entries.counts.shape[1])
    longest = source.limits.max_words_per_document
    counted = bag.counted(source.name, entries, listed, fixed=fixed, n_words=n_words, longest=longest)
    if report is not None:
        report(1.0, f"Read {counted.intake.n_read:,} documents")
    return counted


def _word_list(where: Readable, words: Readable | None) -> Readable:
    if words is not None:
        return words
    if isinstance(where, tuple):
        name = Path(where[0]).name
        raise ReadError(name, "a bag of words without its list of words", "Give that file too, one word a line.")
    return uci.word_list_beside(Path(where))


@contextmanager
def _opened(source: Readable) -> Iterator[tuple[str, BinaryIO | Inflated]]:
    if isinstance(source, tuple):
        yield _unpacked(Path(source[0]).name, source[1])
        return
    path = Path(source)
    try:
        binary = path.open("rb")
    except OSError as error:
        raise ReadError(path.name, error.strerror or "cannot be opened", "Check the path.") from None
    with binary:
        yield _unpacked(path.name, binary)


def _unpacked(name: str, binary: BinaryIO) -> tuple[str, BinaryIO | Inflated]:
    return name, Inflated(name, binary) if name.lower().endswith(_GZIP) else binary


def _documents(source: TextSource, columns: Columns) -> Iterator[Document]:
    ending = Path(source.name.lower().removesuffix(_GZIP)).suffix
    if reader := READERS.get(ending):
        return reader(source, columns)
    return (jsonl.documents if source.first_line().lstrip().startswith("{") else _lines)(source, columns)
