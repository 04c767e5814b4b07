"""Reading of documents into a corpus: one pass, bounded memory, every refusal with its place."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError, ReadError
from dplda.core.types import Report
from dplda.corpus.corpus import Corpus, Label, VocabularySource
from dplda.corpus.counts_readers import matrices
from dplda.corpus.files.file import Limits, file_ending
from dplda.corpus.files.sources import (
    CorpusFiles,
    Member,
    Readable,
    Sources,
    as_member,
    gather_files,
)
from dplda.corpus.on_disk import CorpusWriter, StoredCorpus
from dplda.corpus.read_summary import Intake
from dplda.corpus.readers import formats
from dplda.corpus.readers.counting import CountedDocuments, DocumentCounter
from dplda.corpus.readers.former_counts import FormerCounts
from dplda.corpus.readers.member_documents import MemberDocuments, collections_of
from dplda.corpus.readers.table import Columns
from dplda.corpus.words.reading import FIRST_READING
from dplda.corpus.words.tokenisation import Tokenisation, fixed_list

N_GLANCED = 5000  # documents that are looked at before all are read
_GLANCED_CHARACTERS = 5_000_000  # the first look ends after the document that passes these
_REPORT_EVERY = 2000  # documents


def load(
    source: Sources,
    *,
    text: str | None = None,
    person: str | None = None,
    groups: Sequence[str] = (),
    by_file: bool = False,
    label: Label,
    name: str | None = None,
    vocabulary: Iterable[str] | None = None,
    n_words: int | None = 1000,
    limits: Limits | None = None,
    encoding: str | None = None,
    words: Readable | None = None,
    tokenisation: Tokenisation | None = None,
    former: bool = True,
    report: Report | None = None,
) -> Corpus:
    r"""Read documents, or counts of their words, from files, an archive or a folder.

    The name gives the format (Docs, Formats). Documents with fewer than three words of the
    vocabulary contribute zero and are kept: ``N`` is public.

    Args:
        source: a path of a regular file or a folder; a name and an open binary file, which is left
            open; or a list of those, which together are one corpus.
        text: column or key that holds the documents; None takes the only one, or one named
            ``text``.
        person: column, key or header of mail that names a document's author; the corpus holds
            numbers in place of names. None for none.
        groups: columns or keys whose values are kept as labels of documents, such as a department
            or a date; results can be grouped by them (``dplda.topic_shares``).
        by_file: whether the file of each document, or the folder in which it lies, is kept as its
            label in a column ``file``, to compare two collections or up to 20.
        label: declared origin; it decides whether exact results may be shown.
        name: what the corpus is called; None takes the name of the file.
        vocabulary: a fixed list of words; None takes those that occur in most documents, stop words
            left out, which makes results not private if the corpus is sensitive.
        n_words: ``d``, number of words to take from the data, at least 2; None takes every word
            that is met, for ``dplda.select_words`` to choose from.
        limits: bounds on what is read; None for the default.
        encoding: name of a codec; None accepts UTF-8, and UTF-16 with a byte-order mark.
        words: the file that names the words of a file of counts, one a line; None takes the only
            other file of several, or ``vocab*.txt`` beside it.
        tokenisation: definition of a word; None for the default.
        former: whether sensitive documents are also read as earlier versions did, by which their
            releases are found again. That takes up to twice the time for languages that have other
            words now, as Korean has.
        report: called with the progress of reading.

    Raises:
        ReadError: a file that cannot be read, with the row or byte if it is known.
        CorpusError: nothing left after reading: no words, or fewer than 3 documents.
        InputError: an argument is of the wrong type or out of its range.

    Example:
        >>> import dplda, io
        >>> text = io.BytesIO(b"green tea with milk\nblack tea with milk\nmilk without tea\n")
        >>> words = ["tea", "milk", "sugar"]
        >>> corpus = dplda.load(("cups.txt", text), label="public", vocabulary=words)
        >>> corpus.vocabulary, corpus.counts.toarray().tolist()
        (('tea', 'milk', 'sugar'), [[1, 1, 0], [1, 1, 0], [1, 1, 0]])
    """
    checks.text("text", text, may_be_none=True)
    checks.text("person", person, may_be_none=True)
    checks.text("name", name, may_be_none=True)
    checks.text("encoding", encoding, may_be_none=True)
    checks.flag("former", former)
    checks.flag("by_file", by_file)
    checks.function("report", report, may_be_none=True)
    if isinstance(groups, str):
        raise InputError("groups", "a list of names of columns", "one text")
    checks.texts("groups", groups)
    request = _ReadRequest(
        Columns(text, person, tuple(groups), by_file),
        tokenisation,
        vocabulary,
        n_words,
        label,
        former=former,
    )
    with ExitStack() as stack:
        files = gather_files(source, _limits(limits), encoding, stack, report)
        documents = request.count(files, words)
    return _corpus_of(documents, request, files.name if name is None else name)


def glance(
    source: Sources,
    *,
    vocabulary: Iterable[str] | None,
    n_words: int | None = None,
    text: str | None = None,
    encoding: str | None = None,
    tokenisation: Tokenisation | None = None,
    n_documents: int = N_GLANCED,
) -> Intake | None:
    """Summarize the first documents as ``load`` will.

    A single open file is wound back to its beginning afterwards. It is not if it holds counts, or
    if an error is raised. Further arguments and errors as for ``load``.

    Args:
        n_words: largest number of words, also of a fixed list, of which the most frequent are
            taken.
        n_documents: largest number of documents to read.

    Returns:
        The summary; None for files of counts, which are not read.
    """
    request = _ReadRequest(Columns(text), tokenisation, vocabulary, n_words, Label.PUBLIC)
    with ExitStack() as stack:
        files = gather_files(source, Limits(), encoding, stack)
        if any(formats.is_counts(member.name) for member in files.members):
            return None
        intake = request.count_texts(files, first=n_documents).intake
    if isinstance(source, tuple):
        source[1].seek(0)
    return intake


def load_to(
    folder: str | Path,
    source: Sources,
    *,
    text: str | None = None,
    label: Label,
    name: str | None = None,
    vocabulary: Iterable[str] | None = None,
    n_words: int = 1000,
    limits: Limits | None = None,
    encoding: str | None = None,
    words: Readable | None = None,
    tokenisation: Tokenisation | None = None,
    report: Report | None = None,
) -> StoredCorpus:
    r"""``load`` into a folder: a corpus of the same counts that need not fit in memory.

    Memory meanwhile holds the distinct words and some bytes a document; only a file of counts is
    read whole. A corpus that the folder held before is replaced. Persons and labels are not kept.
    Arguments and errors as for ``load``.

    Args:
        folder: made if there is none.

    Example:
        >>> import io, tempfile
        >>> from dplda.corpus import load_to
        >>> text = io.BytesIO(b"green tea with milk\nblack tea with milk\nmilk without tea\n")
        >>> source, words = ("cups.txt", text), ["tea", "milk"]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     load_to(folder, source, label="public", vocabulary=words).n_documents
        3
    """
    checks.text("text", text, may_be_none=True)
    checks.text("name", name, may_be_none=True)
    checks.text("encoding", encoding, may_be_none=True)
    checks.function("report", report, may_be_none=True)
    request = _ReadRequest(Columns(text), tokenisation, vocabulary, n_words, label)
    with ExitStack() as stack:
        files = gather_files(source, _limits(limits), encoding, stack, report)
        writer = stack.enter_context(closing(CorpusWriter(folder)))
        documents = request.count(files, words, writer)
        corpus_name = files.name if name is None else name
        return writer.finished(
            documents.words, request.label, corpus_name, request.vocabulary_source, documents.intake
        )


def _limits(limits: Limits | None) -> Limits:
    """The limits that were given, or the default; anything else is refused."""
    checks.instance("limits", limits, Limits, may_be_none=True)
    return Limits() if limits is None else limits


class _ReadRequest:
    """Reading that is asked for, checked before any file is opened.

    Args:
        columns: columns that hold text, author and labels.
        tokenisation: definition of a word; None for the default.
        vocabulary: a fixed list; None takes words from the data.
        n_words: largest number of words to take; None for all.
        label: declared origin of the documents.
        former: whether reading 1 is wanted too; it is used for sensitive documents only.
    """

    def __init__(
        self,
        columns: Columns,
        tokenisation: Tokenisation | None,
        vocabulary: Iterable[str] | None,
        n_words: int | None,
        label: Label,
        *,
        former: bool = False,
    ) -> None:
        """Check the arguments; only sensitive documents are read as earlier versions did.

        Raises:
            InputError: an argument is of the wrong type or out of its range.
        """
        if n_words is not None:
            checks.integer_at_least("n_words", n_words, 2)
        self.columns = columns
        self.n_words = n_words
        self.label = checks.one_of("label", label, Label)
        checks.instance("tokenisation", tokenisation, Tokenisation, may_be_none=True)
        self.tokenisation = Tokenisation() if tokenisation is None else tokenisation
        self.fixed_words = None
        if vocabulary is not None:
            self.fixed_words = fixed_list(vocabulary, self.tokenisation)
        self.wants_former = former and self.label is Label.SENSITIVE

    @property
    def vocabulary_source(self) -> VocabularySource:
        """Origin of the words: a fixed list, all words met, or the most frequent ones."""
        if self.fixed_words is not None:
            return VocabularySource.FIXED
        return VocabularySource.MET if self.n_words is None else VocabularySource.FROM_DATA

    def count(
        self, files: CorpusFiles, words: Readable | None, writer: CorpusWriter | None = None
    ) -> CountedDocuments:
        """Count documents of text, or read a file of counts if there is one or ``words`` is given.

        For counts no column may be chosen. With ``words``, a file of no known format is read as a
        bag of words.

        Args:
            files: the files.
            words: file with the words of a file of counts; None takes the only other file, or the
                one beside it.
            writer: folder for the counts; None keeps them in memory.

        Raises:
            ReadError: a file cannot be read, or files of counts do not belong together.
            CorpusError: there are no documents, or none has a word to count.
        """
        count_files = [member for member in files.members if formats.is_counts(member.name)]
        if not count_files and words is None:
            return self.count_texts(files, writer)
        self._refuse_columns(files.name)
        counts_member, words_source = _find_counts(files, count_files or files.members, words)
        with counts_member.opened() as counts_file:
            counts_file.budget = files.budget
            counts_reader = formats.COUNTS.get(file_ending(counts_file.name))
            if counts_reader is None:
                entries = matrices.bag(counts_file, files.progress.say)
            else:
                entries = counts_reader(counts_file)
        with words_source.opened() as words_file:
            column_names = matrices.word_list(words_file, entries.counts.shape[1])
        counter = DocumentCounter(
            files.name,
            self.fixed_words,
            files.limits,
            self.tokenisation,
            former=self.wants_former,
            writer=writer,
        )
        counter.add_counts(entries.counts, column_names, entries.n_repeated)
        files.progress.say(f"Read {counter.n_read:,} documents", done=True)
        return counter.finished(self.n_words)

    def _refuse_columns(self, source: str) -> None:
        """Refuse counts if persons, labels or collections are asked for: counts name none."""
        self.columns.refuse_person(source)
        if self.columns.by_file:
            problem = "counts are of one collection"
            raise ReadError(source, problem, "Give several files of texts or tables.")

    def count_texts(
        self, files: CorpusFiles, writer: CorpusWriter | None = None, first: int | None = None
    ) -> CountedDocuments:
        """Count the words of all documents, or of the first ones.

        Files of unknown formats are skipped and counted, unless somebody chose each file.

        Args:
            files: the files.
            writer: folder for the counts; None keeps them in memory.
            first: largest number of documents for a first look, which also ends after 5 million
                characters; None reads all.

        Raises:
            ReadError: a file cannot be read, has no such column, or takes too much processor time.
                Or there are too few or too many collections to compare.
            CorpusError: there are no documents, or none has a word to count. A first look accepts
                documents without such a word.
        """
        collection_names = collections_of(files, self.columns)
        counter = DocumentCounter(
            files.name,
            self.fixed_words,
            files.limits,
            self.tokenisation,
            persons=self.columns.person is not None,
            labels=self.columns.labels,
            files=tuple(dict.fromkeys(collection_names)),
            texts=self.label is Label.SENSITIVE,
            former=self.wants_former,
            writer=writer,
        )
        reader = MemberDocuments(files, self.columns, counter.remarks)
        n_characters = 0
        for document in islice(reader.documents(), first):
            counter.add(document)
            files.budget.check(files.name)
            n_characters += len(document.text)
            if first is not None and n_characters > _GLANCED_CHARACTERS:
                break
            if counter.n_read % _REPORT_EVERY == 0:
                files.progress.say(f"Read {counter.n_read:,} documents")
        files.progress.say(f"Read {counter.n_read:,} documents", done=True)
        n_files_read = len(reader.known)
        n_files_dropped = len(files.members) - n_files_read
        return counter.finished(
            self.n_words, n_files_read, n_files_dropped, first_look=first is not None
        )


def _corpus_of(documents: CountedDocuments, request: _ReadRequest, name: str) -> Corpus:
    """Make the corpus of counted documents, with reading 1's of the same ones if that differs."""
    assert documents.counts is not None
    make_corpus = partial(
        Corpus,
        label=request.label,
        name=name,
        vocabulary_source=request.vocabulary_source,
        intake=documents.intake,
        group_columns=documents.group_columns,
    )
    former_corpus = None
    former_reading = documents.former
    if former_reading is not None and not _is_same(documents, former_reading):
        former_texts = None if documents.texts is None else former_reading.texts
        former_corpus = make_corpus(
            former_reading.counts,
            former_reading.words,
            persons=former_reading.persons,
            texts=former_texts,
            reading=FIRST_READING,
        )
    return make_corpus(
        documents.counts,
        documents.words,
        persons=documents.persons,
        texts=documents.texts,
        former=former_corpus,
    )


def _find_counts(
    files: CorpusFiles, count_files: list[Member], words: Readable | None
) -> tuple[Member, Member]:
    """The file of counts and the file of its words.

    Args:
        files: all files.
        count_files: those that may be counts.
        words: file of the words; None takes the only other file, or ``vocab*.txt`` beside a path.

    Raises:
        ReadError: other files than one of counts and one of words, or no words at all.
    """
    other_files = [member for member in files.members if member not in count_files]
    n_others_allowed = 1 if words is None else 0
    if len(count_files) > 1 or len(other_files) > n_others_allowed:
        problem = (
            f"{len(count_files)} files of counts and {len(other_files)} others, where one and its"
            " words are needed"
        )
        raise ReadError(files.name, problem, "Give just these two.")
    if words is None and other_files:
        return count_files[0], other_files[0]
    if words is None:
        if not isinstance(files.source, str | Path):
            fix = "Give that file too, one word per line, in the same upload or in one zip archive."
            raise ReadError(files.name, "a bag of words without its list of words", fix)
        words = matrices.word_list_beside(Path(files.source))
    return count_files[0], as_member(words, files.limits)


def _is_same(documents: CountedDocuments, former: FormerCounts) -> bool:
    """Whether reading 1 has the same words, counts, persons and numbers of texts."""
    has_same_words = former.words == documents.words
    has_same_counts = former.counts is documents.counts
    has_same_texts = documents.texts is None or np.array_equal(documents.texts, former.texts)
    has_same_persons = True
    if documents.persons is not None and former.persons is not None:
        has_same_persons = np.array_equal(documents.persons, former.persons)
    return has_same_words and has_same_counts and has_same_texts and has_same_persons
