"""Labels of documents by which results can be grouped: the department or the date of each.

A label is as sensitive as the document that has it. It is kept with the documents, appears in no
message, and leaves them only through a table with noise (``methods.shares``).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dplda.core.errors import CorpusError, InputError
from dplda.core.types import Matrix

FILE_COLUMN = "file"  # name of the labels that say which file or folder a document is from
LONGEST_LABEL = 80  # characters; a longer cell is no label


@dataclass(frozen=True, slots=True, eq=False)
class GroupColumn:
    """The label that each document has in one column of its file.

    Attributes:
        name: name of the column.
        values: distinct labels, in the order in which they are met; "" for documents without one.
        codes: index in ``values`` of each document's label, (N,).
        is_of_files: whether the labels are names of the files or folders that were given, all of
            which are in ``values``. Such a list is public: it says nothing of their content.
    """

    name: str
    values: tuple[str, ...]
    codes: NDArray[np.int32]
    is_of_files: bool = False

    @property
    def labels(self) -> list[str]:
        """The label of every document, N texts."""
        return [self.values[code] for code in self.codes]


@dataclass(frozen=True, slots=True, eq=False)
class TrueGroups:
    """Groups that simulated documents were drawn into, with the shares that they truly have.

    Attributes:
        column: the label of each document.
        shares: mean share of the words of its documents that each topic has, by group in the order
            of ``column.values``, (G, k); rows sum to 1, or are 0 for a group without words.
    """

    column: GroupColumn
    shares: Matrix


class LabelRoll:
    """Records the label of one document after the other.

    Args:
        name: name of the column.
        files: names of all files or folders, if the labels are these; empty for other labels.
    """

    def __init__(self, name: str, files: Sequence[str] = ()) -> None:
        self._name = name
        self._is_of_files = bool(files)
        self._code_of = {file: code for code, file in enumerate(files)}
        self._codes: list[int] = []

    def add(self, label: str) -> None:
        """Record the label of the next document, cleaned by ``clean_label``."""
        self._codes.append(self._code_of.setdefault(clean_label(label), len(self._code_of)))

    def column(self) -> GroupColumn:
        """Column of all labels recorded so far."""
        codes = np.array(self._codes, dtype=np.int32)
        return GroupColumn(self._name, tuple(self._code_of), codes, self._is_of_files)


def clean_label(label: object) -> str:
    """Label as groups are compared: on one line, without outer blanks.

    Returns:
        "" for None, NaN and infinity, for values that are neither text nor number, and for a text
        of more than ``LONGEST_LABEL`` characters. A whole number that a table keeps as a fraction,
        such as the year 2001.0, is written without it. A boolean of Python is "True" or "False";
        one of NumPy is "".
    """
    if not isinstance(label, str | int | np.integer | float | np.floating):
        return ""
    if isinstance(label, float | np.floating):
        if not np.isfinite(label):
            return ""
        if label == int(label):
            label = int(label)
    label_text = " ".join(str(label).split())
    return label_text if len(label_text) <= LONGEST_LABEL else ""


def check_columns(columns: Sequence[GroupColumn], n_documents: int) -> tuple[GroupColumn, ...]:
    """Refuse columns of labels that do not fit the documents; others come back as a tuple.

    Args:
        columns: a tuple or list, of distinct names.
        n_documents: number of labels that each column must have.

    Raises:
        CorpusError: a column is no ``GroupColumn`` or has not one label for each document, or two
            columns have one name.
        InputError: neither a tuple nor a list.
    """
    if not isinstance(columns, tuple | list):
        raise InputError("group_columns", "a tuple", f"a value of type {type(columns).__name__}")
    for group_column in columns:
        if not isinstance(group_column, GroupColumn) or group_column.codes.shape != (n_documents,):
            problem = f"A column of labels does not have {n_documents:,} labels"
            raise CorpusError(problem, "Give a GroupColumn with one label for each document.")
    if len({group_column.name for group_column in columns}) < len(columns):
        raise CorpusError("Two columns of labels have one name", "Name each column once.")
    return tuple(columns)
