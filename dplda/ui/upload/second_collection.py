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


def choose_second(file: UploadedFile, upload_number: int) -> UploadedFile | None:
    """Draw the choice of a second collection; None while there is none.

    For an archive nothing is drawn: it holds several files already.

    Args:
        file: the first collection.
        upload_number: number of files that were read in this session.
    """
    if is_archive(file.name):
        return None
    with st.expander("Compare with a second collection", icon=":material/compare_arrows:"):
        second_file: UploadedFile | None = st.file_uploader(
            "The second collection", key=f"{Key.FILE}.{upload_number}.second", help=SECOND_HELP
        )
    return second_file


def join_files(first_file: UploadedFile, second_file: UploadedFile) -> UploadedFile:
    """Two files as one archive, in this order; kept in the session, and made once for the same two.

    A second file of the same name is numbered.
    """
    file_id = f"{first_file.file_id}.{second_file.file_id}"
    joined_file: UploadedFile | None = st.session_state.get(Key.JOINED)
    if joined_file is None or joined_file.file_id != file_id:
        record = UploadedFileRec(
            file_id, _joined_name(first_file, second_file), "", _zip(first_file, second_file)
        )
        joined_file = UploadedFile(record, FileURLs(file_id=file_id))
        st.session_state[Key.JOINED] = joined_file
    return joined_file


def _joined_name(first_file: UploadedFile, second_file: UploadedFile) -> str:
    return f"{PurePath(first_file.name).stem} and {PurePath(second_file.name).stem}{ZIP}"


def _zip(first_file: UploadedFile, second_file: UploadedFile) -> bytes:
    """An archive of both files, not packed; a second one of the same name is numbered."""
    second_name = second_file.name
    if second_name == first_file.name:
        second_path = PurePath(second_name)
        second_name = f"{second_path.stem} (2){second_path.suffix}"
    archive_content = io.BytesIO()
    with zipfile.ZipFile(archive_content, "w") as archive:
        archive.writestr(first_file.name, first_file.getvalue())
        archive.writestr(second_name, second_file.getvalue())
    return archive_content.getvalue()
