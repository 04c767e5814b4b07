"""The documents of all files of a corpus, in order, and what becomes of a file among many that cannot be read."""

from collections.abc import Iterator

from dplda.core.errors import ReadError
from dplda.corpus.files.collections_compared import name_collections
from dplda.corpus.files.file import File, ending
from dplda.corpus.files.sources import Gathered, Member
from dplda.corpus.files.work_budget import TooMuchWorkError
from dplda.corpus.readers import formats
from dplda.corpus.readers.table import Columns, Document
from dplda.corpus.remarks import Remark, RemarkCounter

_LARGEST_UNREADABLE_SHARE = 0.5  # of the files; more are refused


def collections_of(files: Gathered, columns: Columns) -> list[str]:
    """The collection of each file that is read, where collections are compared; else empty.

    Raises:
        ReadError: there are too few of them, or too many.
    """
    return name_collections(_known_files(files), files.name) if columns.by_file else []


def _known_files(files: Gathered) -> list[Member]:
    """The files that a reader has, or that somebody chose."""
    return [it for it in files.members if files.chosen or formats.is_known(it.name)]


class MemberDocuments:
    """Reads the files of a corpus.

    In a folder or an archive, a file that is one document and cannot be read becomes an empty document, which is said
    with a number: how many documents there are is public, so it must not depend on what stands in one. Files that
    somebody chose one by one are refused instead.

    Attributes:
        known: the files that a reader has.
        collections: for each of them its collection, where these are compared; empty otherwise.
    """

    def __init__(self, files: Gathered, columns: Columns, remarks: RemarkCounter) -> None:
        self.known = _known_files(files)
        self.collections = collections_of(files, columns)
        self._budget = files.budget
        self._may_pass_over = not files.chosen and len(self.known) > 1 and columns.person is None
        self._columns = columns
        self._remarks = remarks
        self._unreadable: list[ReadError] = []

    def documents(self) -> Iterator[Document]:
        """Yield all documents.

        Raises:
            ReadError: a file that cannot be read, or most of them.
        """
        for place, member in enumerate(self.known):
            collection = tuple(self.collections[place : place + 1])
            for document in self._documents_of(member):
                yield document._replace(labels=(*document.labels, *collection))
        if len(self._unreadable) > _LARGEST_UNREADABLE_SHARE * len(self.known):
            raise self._unreadable[0]

    def _documents_of(self, member: Member) -> Iterator[Document]:
        if self._may_pass_over and ending(member.name) in formats.WHOLE_FILES:
            yield self._whole_file(member)
            return
        with member.opened() as file:
            yield from self._read(file)

    def _read(self, file: File) -> Iterator[Document]:
        file.alone = len(self.known) == 1
        file.remarks = self._remarks
        file.budget = self._budget
        return formats.documents(file, self._columns)

    def _whole_file(self, member: Member) -> Document:
        """A file that is one document; an empty one where it cannot be read."""
        try:
            with member.opened() as file:
                return next(self._read(file))
        except TooMuchWorkError:
            raise
        except ReadError as error:
            self._unreadable.append(error)
            self._remarks.add(Remark.UNREADABLE_FILE, f"{error.source}: {error.problem}")
            return Document("")
