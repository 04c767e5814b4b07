"""Documents of all files of a corpus, in order.

Of many files, one that cannot be read is an empty document.
"""

from collections.abc import Iterator

from dplda.core.errors import ReadError
from dplda.corpus.files.collections_compared import name_collections
from dplda.corpus.files.file import File, file_ending
from dplda.corpus.files.sources import CorpusFiles, Member
from dplda.corpus.files.work_budget import TooMuchWorkError
from dplda.corpus.readers import formats
from dplda.corpus.readers.table import Columns, Document
from dplda.corpus.remarks import Remark, RemarkCounter

_MAX_UNREADABLE_SHARE = 0.5  # of the files; if more cannot be read, all are refused


def collections_of(files: CorpusFiles, columns: Columns) -> list[str]:
    """Name the collection of each file that is read; empty unless collections are compared.

    Raises:
        ReadError: there are too few of them, or too many.
    """
    if columns.by_file:
        return name_collections(_known_files(files), files.name)
    return []


def _known_files(files: CorpusFiles) -> list[Member]:
    """Files that a reader has; all files if somebody chose each of them."""
    return [member for member in files.members if files.chosen or formats.is_known(member.name)]


class MemberDocuments:
    """Reads the files of a corpus.

    In a folder or an archive, a file that is one document and cannot be read becomes an empty
    document, with a remark: the number of documents is public, so it must not depend on the content
    of one. Files that somebody chose one by one are refused instead, and so are files that must
    name an author.

    Args:
        files: all files of the corpus.
        columns: columns that hold text, author and labels.
        remarks: counter of unusual things.

    Attributes:
        known: the files to read.
        collections: the collection of each of them, if these are compared; else empty.
    """

    def __init__(self, files: CorpusFiles, columns: Columns, remarks: RemarkCounter) -> None:
        """Choose the files of known formats, and name their collections if these are compared.

        No file is opened yet.

        Raises:
            ReadError: there are too few or too many collections.
        """
        self.known = _known_files(files)
        self.collections = collections_of(files, columns)
        self._budget = files.budget
        self._may_pass_over = not files.chosen and len(self.known) > 1 and columns.person is None
        self._columns = columns
        self._remarks = remarks
        self._unreadable: list[ReadError] = []

    def documents(self) -> Iterator[Document]:
        """Yield all documents; if collections are compared, the last label is that of the file.

        Raises:
            ReadError: a file that cannot be read and may not be passed over. Or more than half of
                the files in ``known`` were passed over. This comes after the last document, and
                names the first such file.
        """
        for place, member in enumerate(self.known):
            collection = tuple(self.collections[place : place + 1])
            for document in self._documents_of(member):
                yield document._replace(labels=(*document.labels, *collection))
        if len(self._unreadable) > _MAX_UNREADABLE_SHARE * len(self.known):
            raise self._unreadable[0]

    def _documents_of(self, member: Member) -> Iterator[Document]:
        """Yield the documents of one file."""
        if self._may_pass_over and file_ending(member.name) in formats.WHOLE_FILES:
            yield self._whole_file(member)
            return
        with member.opened() as file:
            yield from self._read(file)

    def _read(self, file: File) -> Iterator[Document]:
        """Yield the documents of an open file, which gets this reading's remarks and budget."""
        file.alone = len(self.known) == 1
        file.remarks = self._remarks
        file.budget = self._budget
        return formats.documents(file, self._columns)

    def _whole_file(self, member: Member) -> Document:
        """Read a file that is one document; an empty document, with a remark, if it cannot be read.

        The error is kept in ``_unreadable`` for ``documents``. The caller decides whether a file
        may be passed over.

        Raises:
            TooMuchWorkError: the file takes too much processor time.
        """
        try:
            with member.opened() as file:
                return next(self._read(file))
        except TooMuchWorkError:
            raise
        except ReadError as error:
            self._unreadable.append(error)
            self._remarks.add(Remark.UNREADABLE_FILE, f"{error.source}: {error.problem}")
            return Document("")
