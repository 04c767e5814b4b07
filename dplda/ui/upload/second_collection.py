"""A second file to compare with the first: both are read as one, and each is a group."""

import io
import zipfile
from pathlib import PurePath

import streamlit as st
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from dplda.corpus.files.sources import ZIP, is_archive
from dplda.ui.state.keys import Key

SECOND_HELP = (
    "Last year and this year, complaints and praise. Topics are found in both together, and after"
    " the release you can ask which collection has more of each."
)


def choose_second(file: UploadedFile, turn: int) -> UploadedFile | None:
    """Draw the choice of a second collection; None while there is none.

    For an archive nothing is drawn: it holds several files already.

    Args:
        file: the first collection.
        turn: number of files that were read in this session.
    """
    if is_archive(file.name):
        return None
    second_file: UploadedFile | None = st.file_uploader(
        "Compare with a second collection (optional)",
        key=f"{Key.FILE}.{turn}.second",
        help=SECOND_HELP,
    )
    return second_file


def join_files(first: UploadedFile, second: UploadedFile) -> UploadedFile:
    """Two files as one archive, in this order; made once for the same two."""
    file_id = f"{first.file_id}.{second.file_id}"
    joined: UploadedFile | None = st.session_state.get(Key.JOINED)
    if joined is None or joined.file_id != file_id:
        record = UploadedFileRec(file_id, _joined_name(first, second), "", _zip(first, second))
        joined = UploadedFile(record, FileURLs(file_id=file_id))
        st.session_state[Key.JOINED] = joined
    return joined


def _joined_name(first: UploadedFile, second: UploadedFile) -> str:
    return f"{PurePath(first.name).stem} and {PurePath(second.name).stem}{ZIP}"


def _zip(first: UploadedFile, second: UploadedFile) -> bytes:
    """An archive of both files, not packed; a second one of the same name is numbered."""
    second_name = second.name
    if second_name == first.name:
        second_path = PurePath(second_name)
        second_name = f"{second_path.stem} (2){second_path.suffix}"
    archive_content = io.BytesIO()
    with zipfile.ZipFile(archive_content, "w") as archive:
        archive.writestr(first.name, first.getvalue())
        archive.writestr(second_name, second.getvalue())
    return archive_content.getvalue()
