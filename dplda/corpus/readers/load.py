"""Read files of documents into a corpus: one pass, bounded memory, every refusal with its place."""

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
from dplda.corpus.files.file import Limits, ending
from dplda.corpus.files.sources import Gathered, Readable, Sources, gathered, single
from dplda.corpus.on_disk import CorpusWriter, StoredCorpus
from dplda.corpus.read_summary import Intake
from dplda.corpus.readers import formats
from dplda.corpus.readers.counting import Counted, DocumentCounter
from dplda.corpus.readers.former_counts import FormerCounts
from dplda.corpus.readers.member_documents import MemberDocuments, collections_of
from dplda.corpus.readers.table import Columns
from dplda.corpus.words.reading import FIRST_READING
from dplda.corpus.words.tokenisation import Tokenisation, fixed_list

GLANCED_AT = 5000  # documents that are looked at before all are read
_GLANCED_CHARACTERS = 5_000_000  # of them at most, and one document
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
    r"""Read documents, or counts of their words, from a file, several files, an archive or a folder.

    The name gives the format (Docs, Formats). Documents with fewer than three words of the vocabulary contribute zero
    and are kept: ``N`` is public.

    Args:
        source: a path of a regular file or a folder; a name and an open binary file, which is left open; or a list of
            those, which together are one corpus.
        text: the column or key that holds the documents; None takes the only one, or one named ``text``.
        person: the column, key or header of mail that says whose a document is; the corpus holds numbers in its place.
        vocabulary: a fixed list of words; None takes those that occur in most documents, stop words left out, which
            makes results not private where the corpus is sensitive.
        n_words: ``d``, how many words to take from the data, at least 2; None takes every word that is met, for
            ``dplda.select_words`` to choose from.
        groups: columns or keys whose values are kept as labels of documents, such as a department or a date; results
            can be grouped by them (``dplda.topic_shares``).
        by_file: whether the file of each document, or the folder in which it lies, is kept as its label in a column
            ``file``, to compare two collections or up to 20.
        encoding: name of a codec; None accepts UTF-8, and UTF-16 with a byte-order mark.
        words: the file that names the words of a file of counts, one a line; None takes the only other file of several,
            or ``vocab*.txt`` beside it.
        former: whether sensitive documents are also read as earlier versions did, by which their releases are found
            again. That takes up to twice the time where a language has other words now, as Korean has.

    Raises:
        ReadError: a file that cannot be read, with the row or byte where that shows.
        CorpusError: nothing left after reading: no words, or fewer than 3 documents.

    Example:
        >>> import dplda, io
        >>> text = io.BytesIO(b"green tea with milk\nblack tea with milk\nmilk without tea\n")
        >>> corpus = dplda.load(("cups.txt", text), label="public", vocabulary=["tea", "milk", "sugar"])
        >>> corpus.vocabulary, corpus.counts.toarray().tolist()
        (('tea', 'milk', 'sugar'), [[1, 1, 0], [1, 1, 0], [1, 1, 0]])
    """
    for option, value in (
        ("text", text),
        ("person", person),
        ("name", name),
        ("encoding", encoding),
    ):
        checks.text(option, value, may_be_none=True)
    checks.flag("former", former)
    checks.flag("by_file", by_file)
    checks.function("report", report, may_be_none=True)
    if isinstance(groups, str):
        raise InputError("groups", "a list of names of columns", "one text")
    checks.texts("groups", groups)
    request = _Request(
        Columns(text, person, tuple(groups), by_file),
        tokenisation,
        vocabulary,
        n_words,
        label,
        former=former,
    )
    with ExitStack() as stack:
        files = gathered(source, _limits(limits), encoding, stack, report)
        found = request.counted(files, words)
    return _corpus_of(found, request, files.name if name is None else name)


def glance(
    source: Sources,
    *,
    vocabulary: Iterable[str] | None,
    n_words: int | None = None,
    text: str | None = None,
    encoding: str | None = None,
    tokenisation: Tokenisation | None = None,
    n_documents: int = GLANCED_AT,
) -> Intake | None:
    """What ``load`` will say of the first documents; None for counts of words. Arguments and errors as there.

    Args:
        n_words: of a fixed list too, those that occur in most documents.
    """
    request = _Request(Columns(text), tokenisation, vocabulary, n_words, Label.PUBLIC)
    with ExitStack() as stack:
        files = gathered(source, Limits(), encoding, stack)
        if any(formats.is_counts(it.name) for it in files.members):
            return None
        found = request.texts(files, first=n_documents).intake
    if isinstance(source, tuple):
        source[1].seek(0)
    return found


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
    r"""``load`` into a folder: a corpus that need not fit in memory, of the same counts.

    What is in memory meanwhile is the distinct words and some bytes a document; a file of counts is read whole. A
    corpus that the folder held before is replaced. Arguments as for ``load``; persons are not kept.

    Example:
        >>> import io, tempfile
        >>> from dplda.corpus import load_to
        >>> text = io.BytesIO(b"green tea with milk\nblack tea with milk\nmilk without tea\n")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     load_to(folder, ("cups.txt", text), label="public", vocabulary=["tea", "milk"]).n_documents
        3
    """
    for option, value in (("text", text), ("name", name), ("encoding", encoding)):
        checks.text(option, value, may_be_none=True)
    checks.function("report", report, may_be_none=True)
    request = _Request(Columns(text), tokenisation, vocabulary, n_words, label)
    with ExitStack() as stack:
        files = gathered(source, _limits(limits), encoding, stack, report)
        writer = stack.enter_context(closing(CorpusWriter(folder)))
        found = request.counted(files, words, writer)
        named = files.name if name is None else name
        return writer.finished(found.words, request.label, named, request.origin, found.intake)


def _limits(limits: Limits | None) -> Limits:
    """The limits that were given, or the usual ones."""
    checks.instance("limits", limits, Limits, may_be_none=True)
    return Limits() if limits is None else limits


class _Request:
    """What is asked of files, checked before any is opened."""

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
        if n_words is not None:
            checks.integer_at_least("n_words", n_words, 2)
        self.columns, self.n_words, self.label = (
            columns,
            n_words,
            checks.one_of("label", label, Label),
        )
        checks.instance("tokenisation", tokenisation, Tokenisation, may_be_none=True)
        self.tokenisation = Tokenisation() if tokenisation is None else tokenisation
        self.fixed = None if vocabulary is None else fixed_list(vocabulary, self.tokenisation)
        self.wants_former = former and self.label is Label.SENSITIVE

    @property
    def origin(self) -> VocabularySource:
        """Where the words come from."""
        if self.fixed is not None:
            return VocabularySource.FIXED
        return VocabularySource.MET if self.n_words is None else VocabularySource.FROM_DATA

    def counted(
        self, files: Gathered, words: Readable | None, writer: CorpusWriter | None = None
    ) -> Counted:
        """Documents or counts, in memory or in a folder."""
        counts = [it for it in files.members if formats.is_counts(it.name)]
        if not counts and words is None:
            return self.texts(files, writer)
        self.columns.refuse_person(files.name)
        if self.columns.by_file:
            problem = "counts are of one collection"
            raise ReadError(files.name, problem, "Give several files of texts or tables.")
        counts = counts or files.members
        others = [it for it in files.members if it not in counts]
        if len(counts) > 1 or len(others) > (words is None):
            problem = f"{len(counts)} files of counts and {len(others)} others, where one and its words are needed"
            raise ReadError(files.name, problem, "Give just these two.")
        if words is None and not others:
            if not isinstance(files.source, str | Path):
                fix = "Give that file too, one word per line, in the same upload or in one zip archive."
                raise ReadError(files.name, "a bag of words without its list of words", fix)
            words = matrices.word_list_beside(Path(files.source))
        with counts[0].opened() as file:
            file.budget = files.budget
            read = formats.COUNTS.get(ending(file.name))
            entries = read(file) if read else matrices.bag(file, files.progress.say)
        with (others[0] if words is None else single(words, files.limits)).opened() as file:
            listed = matrices.word_list(file, entries.counts.shape[1])
        counter = DocumentCounter(
            files.name,
            self.fixed,
            files.limits,
            self.tokenisation,
            former=self.wants_former,
            writer=writer,
        )
        counter.add_counts(entries.counts, listed, entries.n_repeated)
        files.progress.say(f"Read {counter.n_read:,} documents", done=True)
        return counter.finished(self.n_words)

    def texts(
        self, files: Gathered, writer: CorpusWriter | None = None, first: int | None = None
    ) -> Counted:
        """All documents, or for a first look so many of them, of so many characters at most."""
        collections = collections_of(files, self.columns)
        counter = DocumentCounter(
            files.name,
            self.fixed,
            files.limits,
            self.tokenisation,
            persons=self.columns.person is not None,
            labels=self.columns.labels,
            files=tuple(dict.fromkeys(collections)),
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
        n_known = len(reader.known)
        n_dropped = len(files.members) - n_known
        return counter.finished(self.n_words, n_known, n_dropped, first_look=first is not None)


def _corpus_of(found: Counted, request: _Request, name: str) -> Corpus:
    """The corpus of what was counted, beside the same documents as reading 1 has them where that is any different."""
    assert found.counts is not None
    make = partial(
        Corpus,
        label=request.label,
        name=name,
        vocabulary_source=request.origin,
        intake=found.intake,
        persons=found.persons,
        group_columns=found.group_columns,
    )
    former = None
    if found.former is not None and not _is_same(found, found.former):
        former = make(
            found.former.counts,
            found.former.words,
            texts=None if found.texts is None else found.former.texts,
            reading=FIRST_READING,
        )
    return make(found.counts, found.words, texts=found.texts, former=former)


def _is_same(found: Counted, former: FormerCounts) -> bool:
    """Whether reading 1 has the same words, counts and numbers of texts."""
    has_same_texts = found.texts is None or np.array_equal(found.texts, former.texts)
    return has_same_texts and former.counts is found.counts and former.words == found.words
