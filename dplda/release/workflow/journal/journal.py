"""The journal of one charge: answers in a file, each counted by the ledger before its use."""

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import numpy as np

from dplda.core.errors import DpldaError
from dplda.core.types import Vector
from dplda.corpus import Corpus, Selection
from dplda.privacy.noise.exact import ExactNoise, tv_slack_of
from dplda.privacy.noise.kept_answers import AnswerLabel
from dplda.privacy.word_selection.selection import SelectionOutcome, draw_selection, round_noise
from dplda.release.ledger.folder import Folder, FolderError
from dplda.release.ledger.ledger import Ledger
from dplda.release.ledger.records.entry import LedgerEntry
from dplda.release.workflow.journal.counted import (
    CountedRecord,
    KeptAnswers,
    draw_nonce,
    ending_detail,
    key_of_record,
)
from dplda.release.workflow.journal.journal_file import journal_path, open_journal
from dplda.release.workflow.journal.record import RecordError, read_record, write_record
from dplda.release.workflow.journal.words import WORDS, decode_words, encode_words

NUMBERS = "<f8"
REPEAT = "Then repeat the same request, which costs nothing more."


Header: TypeAlias = Mapping[str, str | int]
"""What a record answers, as its JSON header has it."""


class JournalError(DpldaError):
    """A release that cannot go on from what was drawn."""


class Journal:
    """Answers of one charge: those that were kept before, then new ones. A store for ``KeptNoise``.

    Args:
        folder: the release folder.
        charge: the ledger's entry for it.
        receipt_number: of the charge; it names the file.
        kept: what the ledger says of its answers.
    """

    def __init__(
        self, folder: Folder, charge: LedgerEntry, receipt_number: str, *, kept: KeptAnswers
    ) -> None:
        """Begin at the first kept answer; nothing is read or written yet."""
        self._folder = folder
        self._ledger = Ledger(folder)
        self._dataset = charge.dataset
        self._receipt = receipt_number
        self._records = list(kept.records)
        self._has_ended = kept.ended_without_topics
        self._n_given = 0
        self._n_bytes = 0
        self._last_entry: LedgerEntry | None = None

    @property
    def path(self) -> Path:
        """Its file."""
        return journal_path(self._folder, self._receipt)

    def next_answer(self, label: AnswerLabel) -> Vector | None:
        """The next answer that was kept, shape (p,); None after the last.

        Raises:
            JournalError: it answers another request, or its record is gone.
        """
        payload = self._next_payload(_header_of(label))
        return None if payload is None else np.frombuffer(payload, NUMBERS).astype(np.float64)

    def keep_answer(self, label: AnswerLabel, answer: Vector) -> None:
        """Keep an answer; it is on the disk and counted when this returns.

        Raises:
            FolderError: the disk is full or fails.
            LedgerError: the ledger does not count it.
        """
        stored_numbers = np.ascontiguousarray(answer, dtype=NUMBERS)
        self._keep(_header_of(label), stored_numbers.view(np.uint8).data)

    def select_words(
        self, corpus: Corpus, selection: Selection, exact: ExactNoise
    ) -> SelectionOutcome:
        """Return the words in the journal, or select words now and keep them as one answer.

        Args:
            corpus: the documents, over every word met.
            selection: how words are selected.
            exact: draws noise, and counts its distance.

        Raises:
            JournalError, FolderError or LedgerError: as in ``select``.
        """
        return self.select(
            WORDS,
            lambda: draw_selection(corpus, selection, noise=exact),
            selection,
            corpus.n_documents,
            exact,
        )

    def select(
        self,
        kind: str,
        draw: Callable[[], SelectionOutcome],
        selection: Selection,
        n_rows: int,
        exact: ExactNoise,
    ) -> SelectionOutcome:
        """Return the selection that the journal keeps, or draw it now and keep it as one answer.

        Either way the distance of the noise from Gaussian noise is counted in ``exact``: for kept
        words as an upper bound from public numbers.

        Args:
            kind: of what is selected.
            draw: draws the selection with ``exact``.
            selection: how it is selected.
            n_rows: rows that it is selected from: documents, or persons.
            exact: draws noise, and counts its distance.

        Raises:
            JournalError: the file was changed, or its next answer is to another question.
            FolderError: a new answer cannot be written, and nobody gets it.
            LedgerError: a new answer cannot be counted.
        """
        header: Header = {"of": kind, "words": selection.n_words}
        payload = self._next_payload(header)
        if payload is None:
            new_outcome = draw()
            self._keep(header, memoryview(encode_words(new_outcome, selection.n_words)))
            return new_outcome
        for n_numbers, noise_std in round_noise(selection, n_rows):
            exact.count_tv_slack(tv_slack_of(n_numbers, noise_std), kind)
        return decode_words(bytes(payload))

    def note_end(self) -> None:
        """Note in the ledger that the answers are all, and say that there are no topics.

        Does nothing if it is noted already.
        """
        if not self._has_ended:
            self._ledger.note_kept(self._dataset, ending_detail(self._receipt))
            self._has_ended = True

    def delete(self) -> None:
        """Delete the file, after what it was kept for is on the disk under its own name."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def _next_payload(self, header: Header) -> bytearray | None:
        """Read and decrypt the next kept value, and advance; None after the last.

        Raises:
            JournalError: the file was changed, or the value was drawn for another header.
        """
        if self._n_given == len(self._records):
            return None
        counted_record = self._records[self._n_given]
        try:
            with open_journal(self.path) as file:
                file.seek(self._n_bytes)
                key = key_of_record(self._folder, counted_record.nonce)
                kept_header, payload = read_record(file, counted_record.digest, key)
        except (RecordError, OSError):
            raise JournalError(
                f"{self.path.name} was changed while it was read. Repeat the request."
            ) from None
        if json.loads(kept_header) != header:
            raise JournalError(
                f"Value {counted_record.number} of this release was drawn otherwise than this"
                " machine asks for it. Finish the release where it was begun, or remove"
                f" {self.path.name} to be charged again."
            )
        self._n_given += 1
        self._n_bytes += counted_record.digest.size
        return payload

    def _keep(self, header: Header, payload: memoryview) -> None:
        """Write an answer to the disk, encrypted, and then have the ledger count it.

        What follows the counted records in the file is cut off first.

        Raises:
            FolderError: it cannot be written, and nobody gets it.
            LedgerError: it cannot be counted.
        """
        nonce = draw_nonce()
        key = key_of_record(self._folder, nonce)
        try:
            with open_journal(self.path, to_append=True) as file:
                file.truncate(self._n_bytes)  # what nobody can read any more
                file.seek(self._n_bytes)
                digest = write_record(file, json.dumps(header).encode(), payload, key)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise FolderError(
                f"What was drawn cannot be kept: {error.strerror}. Make room on the disk of the"
                f" release folder. {REPEAT}"
            ) from None
        counted_record = CountedRecord(self._n_given + 1, digest, nonce)
        self._last_entry = self._ledger.note_kept(
            self._dataset, counted_record.as_detail(self._receipt), last_note=self._last_entry
        )
        self._records.append(counted_record)
        self._n_given += 1
        self._n_bytes += digest.size


def _header_of(label: AnswerLabel) -> Header:
    return {"of": label.stream, "scale": label.noise_std.hex(), "size": label.size}
