"""Files to download, kept for as long as a browser may still show the button that asks for them.

A download is made when its button is pressed, by a function that Streamlit knows by an identifier,
a new one in every run. Streamlit forgets those of the run before as soon as a run ends, also one
that was stopped before it drew a button, and also when another visitor's run ends meanwhile. The
browser still shows the old button then, and pressing it did nothing. The file itself was dropped as
early, perhaps before the browser fetched it.
"""

import threading
from pathlib import PurePosixPath
from time import monotonic

from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorage
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx

KEPT_SECONDS = 60.0


class PatientMediaFiles(MediaFileManager):
    """Streamlit's files; one that no page needs is kept for ``KEPT_SECONDS`` within its session.

    Args:
        storage: where the files are.
    """

    def __init__(self, storage: MediaFileStorage) -> None:
        super().__init__(storage)
        self._running_sessions: set[str] = set()
        self._unused_since: dict[str, float] = {}  # by identifier of a function
        self._made_at: dict[tuple[str, str], float] = {}  # by session and file
        self._cleaning_is_planned = False

    def clear_session_refs(self, session_id: str | None = None) -> None:
        """Forget which files the current session uses, and mark it as running.

        A named session is over: its functions and files are dropped instead, except files that
        another session uses or has made.
        """
        super().clear_session_refs(session_id)
        with self._lock:
            if session_id is not None:
                self._forget_session(session_id)
                return
            current_session = _current_session()
            if current_session is not None:
                self._running_sessions.add(current_session)

    def remove_orphaned_files(self) -> None:
        """Drop all that was unused for long; called when a run ends, and when a session is over."""
        with self._lock:
            self._running_sessions.discard(_current_session() or "")
        super().remove_orphaned_files()
        self._plan_cleaning()

    def execute_deferred(self, file_id: str) -> str:
        """Make a file, and return its address.

        The file stays there for ``KEPT_SECONDS``, even if no page needs it any more.

        Raises:
            MediaFileStorageError: the file is unknown, or making it fails.
        """
        with self._lock:
            deferred_callable = self._deferred_callables.get(file_id)
        address = super().execute_deferred(file_id)
        if deferred_callable is not None:
            session_and_file = (deferred_callable["session_id"], PurePosixPath(address).stem)
            with self._lock:
                self._made_at[session_and_file] = monotonic()
        self._plan_cleaning()
        return address

    def _get_inactive_file_ids(self) -> set[str]:
        """Files that may be dropped: unused ones, but for those made within ``KEPT_SECONDS``.

        Times of making that are older are forgotten.
        """
        now = monotonic()
        for session_and_file, made_at in list(self._made_at.items()):
            if now - made_at >= KEPT_SECONDS:
                del self._made_at[session_and_file]
        just_made = {file_id for _, file_id in self._made_at}
        return super()._get_inactive_file_ids() - just_made

    def _remove_orphaned_deferred_callables(self) -> None:
        """Drop functions that were unused for ``KEPT_SECONDS``.

        Functions of a session whose page is being drawn stay, and count as used.
        """
        files_in_use = {
            file_id
            for file_by_place in self._files_by_session_and_coord.values()
            for file_id in file_by_place.values()
        }
        now = monotonic()
        for file_id, deferred_callable in list(self._deferred_callables.items()):
            if file_id in files_in_use or deferred_callable["session_id"] in self._running_sessions:
                self._unused_since.pop(file_id, None)
            elif now - self._unused_since.setdefault(file_id, now) >= KEPT_SECONDS:
                self._drop_deferred_id(file_id)

    def _drop_deferred_id(self, file_id: str) -> None:
        self._unused_since.pop(file_id, None)
        super()._drop_deferred_id(file_id)

    def _forget_session(self, session_id: str) -> None:
        """Drop the functions and files of a session that is over, as they hold its documents.

        A file that another session made, too, or that is in use, stays.
        """
        self._running_sessions.discard(session_id)
        for file_id in list(self._deferred_ids_by_session.get(session_id, ())):
            self._drop_deferred_id(file_id)
        own_files = {file_id for session, file_id in self._made_at if session == session_id}
        for file_id in own_files:
            del self._made_at[session_id, file_id]
        made_for_others = {file_id for _, file_id in self._made_at}
        for file_id in own_files & super()._get_inactive_file_ids() - made_for_others:
            self._delete_file(file_id)

    def _plan_cleaning(self) -> None:
        """Plan to clean up once present files are old, even if no visitor does anything.

        Does nothing if that is planned already, or no file waits to be dropped.
        """
        with self._lock:
            if self._cleaning_is_planned or not (self._unused_since or self._made_at):
                return
            self._cleaning_is_planned = True
        timer = threading.Timer(KEPT_SECONDS + 1, self._clean)
        timer.daemon = True
        timer.start()

    def _clean(self) -> None:
        with self._lock:
            self._cleaning_is_planned = False
        self.remove_orphaned_files()


def _current_session() -> str | None:
    """The session whose run this thread draws; None outside a run."""
    context = get_script_run_ctx(suppress_warning=True)
    return None if context is None else context.session_id
