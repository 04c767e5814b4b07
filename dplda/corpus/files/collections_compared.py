"""Collections of files, which are compared: the file or folder of each document."""

from collections.abc import Sequence
from pathlib import PurePath

from dplda.core.errors import ReadError
from dplda.corpus.files.sources import Member
from dplda.corpus.group_columns import clean_label

MAX_COLLECTIONS = 20  # more are files of one document each, whose names are no public list
USE_FOLDERS = "Put the files of each collection in a folder of its own."


def name_collections(members: Sequence[Member], source: str) -> list[str]:
    """Name the collection of each file: its name without the ending, or the folder that it is in.

    Folders that hold all files do not count. Endings stay if two names would be equal without them.

    Args:
        members: the files that are read.
        source: name of what was given, for a refusal.

    Returns:
        One name for each member, in their order; files below one such folder share it.

    Raises:
        ReadError: fewer than 2 collections or more than 20, or names that are blank, too long or
            alike.
    """
    paths = [member.path or (member.name,) for member in members]
    while _have_common_folder(paths):
        paths = [path[1:] for path in paths]
    top_names = [path[0] for path in paths]
    n_collections = len(set(top_names))
    if not 2 <= n_collections <= MAX_COLLECTIONS:
        problem = f"{n_collections:,} where 2 to {MAX_COLLECTIONS} collections are compared"
        raise ReadError(source, problem, USE_FOLDERS)
    names = [PurePath(top_name).stem for top_name in top_names]
    if len(set(names)) != n_collections:
        names = top_names
    labels = [clean_label(name) for name in names]
    if len(set(labels)) < n_collections or "" in labels:
        raise ReadError(source, "names of files that are blank, long or alike", "Rename the files.")
    return labels


def _have_common_folder(paths: Sequence[tuple[str, ...]]) -> bool:
    """Whether all files are in the same folder, or in folders of it."""
    are_in_folders = all(len(path) > 1 for path in paths)
    top_folders = {path[0] for path in paths}
    return are_in_folders and len(top_folders) == 1
