"""Two collections in one reading: which file, or folder of files, each document is from."""

from collections.abc import Sequence
from pathlib import PurePath

from dplda.core.errors import ReadError
from dplda.corpus.files.sources import Member
from dplda.corpus.group_columns import clean_label

MAX_COLLECTIONS = 20  # more are files of one document each, whose names are no public list
PARTS = "Put the files of each collection in a folder of its own."


def name_collections(members: Sequence[Member], source: str) -> list[str]:
    """The collection of each file: its name without the ending, or the folder that it lies in.

    Folders that hold all files are left out of account. Endings stay where two names would be one.

    Args:
        members: the files that are read.
        source: what they were given as, for a refusal.

    Raises:
        ReadError: there is one collection, or more than 20.
    """
    paths = [member.path or (member.name,) for member in members]
    while all(len(path) > 1 for path in paths) and len({path[0] for path in paths}) == 1:
        paths = [path[1:] for path in paths]
    tops = [path[0] for path in paths]
    n_collections = len(set(tops))
    if not 2 <= n_collections <= MAX_COLLECTIONS:
        problem = f"{n_collections:,} where 2 to {MAX_COLLECTIONS} collections are compared"
        raise ReadError(source, problem, PARTS)
    stems = {top: PurePath(top).stem for top in tops}
    names = stems if len(set(stems.values())) == n_collections else {top: top for top in tops}
    labels = [clean_label(names[top]) for top in tops]
    if len(set(labels)) < n_collections or "" in labels:
        raise ReadError(source, "names of files that are blank, long or alike", "Rename the files.")
    return labels
