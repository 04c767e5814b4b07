"""Read files of documents into a corpus: one pass, bounded memory, every refusal with its place."""

import sys
from collections.abc import Iterable
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryFile

from dplda.core import checks
from dplda.core.engine import row_blocks
from dplda.core.errors import ReadError
from dplda.core.types import Report
from dplda.corpus.corpus import Corpus, Label, VocabularySource
from dplda.corpus.counts_readers import bag, uci, word_list
from dplda.corpus.files.file import ending
from dplda.corpus.files.limits import Limits
from dplda.corpus.files.members import Member
from dplda.corpus.files.sources import Gathered, Readable, Sources, beside, gathered, single
from dplda.corpus.on_disk import CorpusWriter, StoredCorpus
from dplda.corpus.read_summary import Intake
from dplda.corpus.readers import formats
from dplda.corpus.readers.columns import Columns
from dplda.corpus.readers.counting import Counted, DocumentCounter
from dplda.corpus.words.tokenisation import Tokenisation, fixed_list

_REPORT_EVERY = 2000  # documents


def load(
    source: Sources,
    *,
    text: str | None = None,
    person: str | None = None,
    label: Label,
    name: str | None = None,
    vocabulary: Iterable[str] | None = None,
    n_words: int | None = 1000,
    limits: Limits | None = None,
    encoding: str | None = None,
    words: Readable | None = None,
    whole_files: bool | None = None,
    tokenisation: Tokenisation | None = None,
    report: Report | None = None,
) -> Corpus:
    r"""Read documents, or counts of their words, from a file, several files, an archive or a folder.

    The format of a file follows from its name: plain text (``.txt``), tables with a header (``.csv``, ``.tsv``,
    ``.xlsx``, ``.parquet``), JSON lines (``.jsonl``, ``.ndjson``, ``.json``), mailboxes (``.mbox``), documents of an
    office (``.docx``, ``.pdf``), and for any other, from the first line, JSON lines or plain text.
    Counts are a bag of words (``docword*.txt``, or whatever comes with a list of ``words``), Matrix Market (``.mtx``)
    or a sparse matrix that SciPy saved (``.npz``), together with the list of their words. Each may be packed
    (``.gz``, ``.bz2``, ``.zst``). Zip archives (``.zip``) and folders hold any of them.

    Documents with fewer than three words of the vocabulary, empty ones too, are kept: their number ``N`` is public,
    and they contribute zero.

    Args:
        source: a path of a regular file or a folder; a name and an open binary file, which is left open; or a list of
            those, which together are one corpus.
        text: the column or key that holds the documents; None takes the only one, or one named ``text``.
        person: the column, key or header of mail that says whose a document is, so that a person with several
            documents can be protected; names that differ in case or white space only are one person. The corpus holds
            numbers in the place of names. None where it is not asked.
        label: simulated, public or sensitive.
        name: shown to people; None takes the name of the file.
        vocabulary: a fixed list of words; None takes the words that occur in most documents, English stop
            words left out, which makes the result not private where the corpus is sensitive.
        n_words: ``d``, how many words to take from the data, at least 2; None takes every word that is met, for
            ``dplda.select_words`` to choose from.
        limits: bounds on what is accepted; None takes the defaults.
        encoding: name of a codec; None accepts UTF-8, and UTF-16 with a byte-order mark.
        words: the file that names the words of a file of counts, one a line; None takes the only other file of several,
            or ``vocab*.txt`` beside it.
        whole_files: whether a file of plain text is one document, and not one a line; None: one of several is.
        tokenisation: what a word is; None takes words of 3 or more letters in lower case, English stop words left out
            where the vocabulary comes from the data.
        report: called with progress.

    Returns:
        A corpus with its intake. No text is kept besides the words of the vocabulary.

    Raises:
        InputError: a parameter out of range, or a format whose library is not installed.
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
    declared = Label(label)
    if n_words is not None:
        checks.integer_at_least("n_words", n_words, 2)
    what = tokenisation or Tokenisation()
    fixed = None if vocabulary is None else fixed_list(vocabulary, what)
    taken = VocabularySource.MET if n_words is None else VocabularySource.FROM_DATA
    most = sys.maxsize if n_words is None else n_words
    columns = Columns(text, person, whole_files, lists=what.pre_tokenised)
    with ExitStack() as stack:
        files = gathered(source, limits or Limits(), encoding, stack, report)
        if found := _counts_and_words(files, words, columns):
            counted = _bag(files, *found, fixed, most, what)
        else:
            counted = _texts(files, columns, fixed, most, what, known_again=declared is Label.SENSITIVE)
    table = counted.table
    return Corpus(
        counts=table.counts,
        vocabulary=table.words,
        label=declared,
        name=files.name if name is None else name,
        vocabulary_source=taken if fixed is None else VocabularySource.FIXED,
        intake=counted.intake,
        persons=counted.persons,
        texts=counted.texts,
    )


def glance(
    source: Sources,
    *,
    vocabulary: Iterable[str],
    text: str | None = None,
    encoding: str | None = None,
    whole_files: bool | None = None,
    tokenisation: Tokenisation | None = None,
    n_documents: int = 200,
) -> Intake | None:
    """What comes in with the first documents, before all are read; arguments and errors as for ``load``.

    Returns:
        None for counts of words, which are not looked into.
    """
    what = tokenisation or Tokenisation()
    columns = Columns(text, None, whole_files, lists=what.pre_tokenised)
    with ExitStack() as stack:
        files = gathered(source, Limits(), encoding, stack)
        if any(formats.is_counts(it.name) for it in files.members):
            return None
        found = _texts(files, columns, fixed_list(vocabulary, what), sys.maxsize, what, most=n_documents).intake
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
    whole_files: bool | None = None,
    tokenisation: Tokenisation | None = None,
    report: Report | None = None,
) -> StoredCorpus:
    r"""``load`` into a folder: a corpus that need not fit in memory, of the same counts.

    What is in memory meanwhile is the distinct words and some bytes a document; a file of counts is read whole. A
    corpus that the folder held before is replaced. Arguments as for ``load``; persons are not kept.

    Raises:
        DpldaError: as ``load``; a folder that cannot be written to.

    Example:
        >>> import io, tempfile
        >>> from dplda.corpus import load_to
        >>> text = io.BytesIO(b"green tea with milk\nblack tea with milk\nmilk without tea\n")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     kept = load_to(folder, ("cups.txt", text), label="public", vocabulary=["tea", "milk"])
        ...     kept.n_documents, kept.counts.n_entries()
        (3, 6)
    """
    what = tokenisation or Tokenisation()
    fixed = None if vocabulary is None else fixed_list(vocabulary, what)
    origin = VocabularySource.FROM_DATA if fixed is None else VocabularySource.FIXED
    columns = Columns(text, None, whole_files, lists=what.pre_tokenised)
    declared = Label(label)
    checks.integer_at_least("n_words", n_words, 2)
    with ExitStack() as stack:
        files = gathered(source, limits or Limits(), encoding, stack, report)
        named = files.name if name is None else name
        writer = stack.enter_context(closing(CorpusWriter(folder)))
        if found := _counts_and_words(files, words, columns):
            counted = _bag(files, *found, fixed, n_words, what)
            for rows in row_blocks(counted.table.counts.shape[0]):
                writer.add(counted.table.counts[rows])
            return writer.finished(counted.table.words, declared, named, origin, counted.intake)
        waiting = stack.enter_context(TemporaryFile(dir=folder))
        counter = DocumentCounter(files.name, fixed, files.limits, what, file=waiting)
        listed, intake = counter.written(writer, n_words, *_met(files, columns, counter))
        return writer.finished(listed, declared, named, origin, intake)


def _texts(
    files: Gathered,
    columns: Columns,
    fixed: tuple[str, ...] | None,
    n_words: int,
    what: Tokenisation,
    *,
    most: int = sys.maxsize,
    known_again: bool = False,
) -> Counted:
    persons = columns.person is not None
    counter = DocumentCounter(files.name, fixed, files.limits, what, persons=persons, texts=known_again)
    return counter.finished(n_words, *_met(files, columns, counter, most))


def _met(files: Gathered, columns: Columns, counter: DocumentCounter, most: int = sys.maxsize) -> tuple[int, int]:
    """Has all documents counted; how many files were read, and how many passed over."""
    n_files = n_dropped = 0
    for member in files.members:
        if formats.is_counts(member.name):
            fix = "Give the file of counts and the list of its words, or both in a zip archive."
            raise ReadError(files.name, "a file of counts among documents", fix)
        if not (files.chosen or formats.is_known(member.name)):
            n_dropped += 1
            continue
        n_files += 1
        with member.opened() as file:
            for document in formats.documents(file, columns):
                counter.add(document)
                if counter.n_read % _REPORT_EVERY == 0:
                    files.progress.say(f"Read {counter.n_read:,} documents")
                if counter.n_read >= most:
                    return n_files, n_dropped
    files.progress.say(f"Read {counter.n_read:,} documents", done=True)
    return n_files, n_dropped


def _counts_and_words(files: Gathered, words: Readable | None, columns: Columns) -> tuple[Member, Member] | None:
    """The file of counts among those that are listed, and that of its words; None where there are documents."""
    counts = [it for it in files.members if formats.is_counts(it.name)]
    if not counts and words is not None:
        counts = files.members
    if not counts:
        return None
    if columns.person is not None:
        fix = "Leave it out, or make the corpus with Corpus.from_counts(..., persons=...)."
        raise ReadError(files.name, "a bag of words has no column that says whose a document is", fix)
    others = [it for it in files.members if it not in counts]
    if len(counts) > 1 or len(others) > (words is None):
        problem = f"{len(counts)} files of counts and {len(others)} others, where one and its list of words are needed"
        raise ReadError(files.name, problem, "Give just these two.")
    if words is None and others:
        return counts[0], others[0]
    where = beside(files.source, counts[0].name) if words is None else words
    if where is None:
        fix = "Give that file too, one word a line, in the same upload or in one zip archive."
        raise ReadError(files.name, "a bag of words without its list of words", fix)
    return counts[0], single(where, files.limits)


def _bag(
    files: Gathered,
    counts: Member,
    words: Member,
    fixed: tuple[str, ...] | None,
    n_words: int,
    what: Tokenisation,
) -> Counted:
    with counts.opened() as file:
        read = formats.COUNTS.get(ending(counts.name))
        entries = read(file) if read else uci.read(file.text(), files.progress.say)
    with words.opened() as file:
        listed = word_list.read(file.text(), entries.counts.shape[1])
    longest = files.limits.max_words_per_document
    found = bag.counted(files.name, entries, listed, what, fixed=fixed, n_words=n_words, longest=longest)
    files.progress.say(f"Read {found.intake.n_read:,} documents", done=True)
    return found
