"""What a journal holds and says, and that nobody gets a second draw of it without another charge."""

import errno
import json
import os
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from scipy import stats

from dplda.cli.ledger import uncounted
from dplda.core.errors import DpldaError
from dplda.corpus import Corpus, Label, Selection, VocabularySource
from dplda.privacy.noise.exact import ExactNoise
from dplda.privacy.noise.kept_answers import AnswerLabel, KeptNoise
from dplda.release.ledger.backup import back_up
from dplda.release.ledger.folder import JOURNAL, LEDGER, Folder, FolderError
from dplda.release.ledger.ledger import Ledger, LedgerEntry, LedgerError
from dplda.release.workflow import perform
from dplda.release.workflow.journal import progress
from dplda.release.workflow.journal.counted import kept_answers_of, key_of_record
from dplda.release.workflow.journal.journal import JournalError
from dplda.release.workflow.journal.progress import Progress, journal_of, progress_of
from dplda.release.workflow.journal.record import SIZES, _apply_keystream, read_record
from dplda.release.workflow.perform import release
from dplda.release.workflow.request import Request
from tests.release.conftest import asked
from tests.release.interrupted import Answers, Interrupted, n_charges, recorded, repeat


def interrupt(
    corpus: Corpus, request: Request, folder: Folder, n: int = 1, *, is_counted: bool = True
) -> Answers:
    """Release until n answers are counted, or the n-th is on the disk and not counted."""
    answers: Answers = []
    calls = iter(range(1, n + 1))
    note_kept = Ledger.note_kept

    def note(ledger: Ledger, *arguments: str, **options: LedgerEntry | None) -> LedgerEntry:
        number = next(calls)
        if number == n and not is_counted:
            raise Interrupted
        entry = note_kept(ledger, *arguments, **options)
        if number == n:
            raise Interrupted
        return entry

    with (
        patch.object(Ledger, "note_kept", note),
        recorded(answers),
        pytest.raises(Interrupted),
    ):
        release(corpus, request, folder)
    return answers


def journal_file(folder: Folder) -> Path:
    (path,) = folder.path.glob(f"*{JOURNAL}")
    return path


def charge_in(folder: Folder) -> LedgerEntry:
    return next(entry for entry in Ledger(folder).entries() if entry.kind == "charged")


def records_in(folder: Folder) -> list[tuple[dict, bytes]]:
    """What whoever has the folder and its key can read of the journal."""
    kept_record = kept_answers_of(
        json.loads(charge_in(folder).detail)["receipt"], Ledger(folder).kept_entries("mail")
    )
    records = []
    with journal_file(folder).open("rb") as file:
        for record in kept_record.records:
            header, payload = read_record(file, record.digest, key_of_record(folder, record.nonce))
            records.append((json.loads(header), bytes(payload)))
    return records


def test_journal_file_is_closed_to_others(corpus: Corpus, folder: Folder) -> None:
    interrupt(corpus, asked(), folder, 12)
    path = journal_file(folder)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_journal_holds_the_answers_that_the_run_was_given(corpus: Corpus, folder: Folder) -> None:
    used_answers = interrupt(corpus, asked(), folder, 12)
    answers = [np.frombuffer(payload, "<f8") for _, payload in records_in(folder)]
    assert len(answers) == 12
    for stored_answer, given_answer in zip(answers, used_answers, strict=False):
        np.testing.assert_array_equal(stored_answer, given_answer)
    quantities = [header["of"] for header, _ in records_in(folder)]
    assert quantities[0] == "words clipped word counts"


def test_noisy_answer_is_counted_on_disk_before_it_is_given(corpus: Corpus, folder: Folder) -> None:
    honest = KeptNoise.perturb
    steps: list[str] = []
    answer_counts: list[int] = []

    def perturb(source: KeptNoise, *arguments: object) -> np.ndarray:
        steps.clear()
        answer = honest(source, *arguments)
        assert steps[:2] == ["synced", "counted"]
        payload = records_in(folder)[-1][1]
        np.testing.assert_array_equal(np.frombuffer(payload, "<f8"), answer)
        answer_counts.append(len(records_in(folder)))
        return answer

    fsync, note_kept = os.fsync, Ledger.note_kept

    def sync(descriptor: int) -> None:
        steps.append("synced")
        fsync(descriptor)

    def note(ledger: Ledger, *arguments: str, **options: LedgerEntry | None) -> LedgerEntry:
        while steps.count("synced") > 1:
            steps.remove("synced")  # the folder's names
        steps.append("counted")
        return note_kept(ledger, *arguments, **options)

    with (
        patch.object(KeptNoise, "perturb", perturb),
        patch.object(os, "fsync", sync),
        patch.object(Ledger, "note_kept", note),
    ):
        release(corpus, asked(), folder)
    assert answer_counts == list(range(1, len(answer_counts) + 1))
    assert len(answer_counts) > 12


def test_uncounted_record_is_opened_by_nothing_on_the_disk(corpus: Corpus, folder: Folder) -> None:
    """Neither by the folder's key nor by any number that the ledger holds; so it is drawn anew."""
    drawn_answers: Answers = []
    honest = ExactNoise.draw

    def draw(source: ExactNoise, coordinates: np.ndarray, scale: float) -> np.ndarray:
        drawn_answers.append(honest(source, coordinates, scale))
        return drawn_answers[-1].copy()

    with patch.object(ExactNoise, "draw", draw):
        used_answers = interrupt(corpus, asked(), folder, 3, is_counted=False)
    assert (len(used_answers), len(drawn_answers), len(records_in(folder))) == (2, 3, 2)
    notes = [json.loads(entry.detail) for entry in Ledger(folder).kept_entries("mail")]
    uncounted = journal_file(folder).read_bytes()[sum(note["bytes"] for note in notes) :]
    header_size, payload_size = SIZES.unpack(uncounted[: SIZES.size])
    assert payload_size == drawn_answers[2].nbytes
    encrypted = memoryview(uncounted[SIZES.size + header_size :])
    for nonce in (*(note["nonce"] for note in notes), "", "0" * 64):
        decrypted = _apply_keystream(encrypted, key_of_record(folder, nonce), 1)
        assert decrypted != drawn_answers[2].tobytes()
    receipt, answers = repeat(corpus, asked(), folder)
    assert receipt.was_finished
    np.testing.assert_array_equal(answers[1], used_answers[1])
    assert not np.array_equal(answers[2], drawn_answers[2])


def test_counted_record_is_opened_by_the_key_together_with_its_nonce(
    corpus: Corpus, folder: Folder
) -> None:
    """By another folder's key it is not."""
    used_answers = interrupt(corpus, asked(), folder, 2)
    content = journal_file(folder).read_bytes()
    assert all(answer.tobytes() not in content for answer in used_answers)
    (note, _) = (json.loads(entry.detail) for entry in Ledger(folder).kept_entries("mail"))
    header_size, _ = SIZES.unpack(content[: SIZES.size])
    encrypted = memoryview(content[SIZES.size + header_size : note["bytes"]])
    other_folder = Folder(folder.path.parent / "other")
    own_key, strange = (key_of_record(entry, note["nonce"]) for entry in (folder, other_folder))
    assert _apply_keystream(encrypted, own_key, 1) == used_answers[0].tobytes()
    assert _apply_keystream(encrypted, strange, 1) != used_answers[0].tobytes()


def cut(folder: Folder) -> None:
    path = journal_file(folder)
    path.write_bytes(path.read_bytes()[:-1])


def flip(folder: Folder) -> None:
    path = journal_file(folder)
    content = bytearray(path.read_bytes())
    content[-9] ^= 1
    path.write_bytes(content)


def replace_by_link(folder: Folder) -> None:
    path = journal_file(folder)
    path.symlink_to(path.rename(folder.path.parent / "elsewhere"))


def keep_older(folder: Folder) -> None:
    """The journal as it was before the last answer."""
    *_, last_entry = Ledger(folder).kept_entries("mail")
    path = journal_file(folder)
    path.write_bytes(path.read_bytes()[: -json.loads(last_entry.detail)["bytes"]])


def swap_records(folder: Folder) -> None:
    n_first_bytes, _ = (
        json.loads(entry.detail)["bytes"] for entry in Ledger(folder).kept_entries("mail")
    )
    path = journal_file(folder)
    content = path.read_bytes()
    path.write_bytes(content[n_first_bytes:] + content[:n_first_bytes])


TAMPERED: dict[str, Callable[[Folder], object]] = {
    "deleted": lambda folder: journal_file(folder).unlink(),
    "cut": cut,
    "emptied": lambda folder: journal_file(folder).write_bytes(b""),
    "as before the last answer": keep_older,
    "in another order": swap_records,
    "with a bit flipped": flip,
    "a link": replace_by_link,
}


def drawn_counts(folder: Folder) -> np.ndarray:
    """The word counts that were kept last."""
    _, payload = records_in(folder)[-1]
    return np.frombuffer(payload, "<f8")


@pytest.mark.parametrize("tampering", TAMPERED)
def test_request_is_charged_again_where_a_counted_answer_is_missing(
    tampering: str, corpus: Corpus, folder: Folder
) -> None:
    met, request = selecting(corpus)
    interrupt(met, request, folder, 2)
    first_counts = drawn_counts(folder)
    TAMPERED[tampering](folder)
    assert progress_of(charge_in(folder), folder) is Progress.GONE
    receipt, answers = repeat(met, request, folder)
    assert receipt.charged
    assert n_charges(folder) == 2
    assert not np.array_equal(answers[0], first_counts)


def test_copied_journal_serves_no_other_charge(corpus: Corpus, folder: Folder) -> None:
    """Of the same request, which was charged again because its own journal was gone."""
    met, request = selecting(corpus)
    interrupt(met, request, folder, 2)
    first_journal, first_counts = journal_file(folder), drawn_counts(folder)
    copy = first_journal.read_bytes()
    first_journal.unlink()
    interrupt(met, request, folder, 2)
    journal_file(folder).write_bytes(copy)
    receipt, answers = repeat(met, request, folder)
    assert receipt.charged
    assert n_charges(folder) == 3
    assert not np.array_equal(answers[0], first_counts)


def test_finished_release_whose_file_is_gone_is_charged_again(
    corpus: Corpus, folder: Folder
) -> None:
    """Although the journal of an earlier moment comes back."""
    met, request = selecting(corpus)
    interrupt(met, request, folder, 1)
    path = journal_file(folder)
    copy = path.read_bytes()
    receipt, _ = repeat(met, request, folder)
    receipt.path.unlink()
    path.write_bytes(copy)
    assert repeat(met, request, folder)[0].charged


def test_charge_in_a_copy_without_journals_is_charged_again(corpus: Corpus, folder: Folder) -> None:
    """Its release may have ended after the copy was made, although no answer was counted by then."""
    request = asked("private-unigram")
    with patch.object(perform, "_perform", side_effect=Interrupted), pytest.raises(Interrupted):
        release(corpus, request, folder)
    copy = folder.path.parent / "copy"
    back_up(folder, copy)
    assert progress_of(charge_in(folder), folder) is Progress.UNFINISHED
    assert progress_of(charge_in(folder), Folder(copy)) is Progress.GONE
    assert release(corpus, request, Folder(copy)).charged
    assert release(corpus, request, folder).was_finished


def test_refused_charge_leaves_no_journal(corpus: Corpus, folder: Folder) -> None:
    with pytest.raises(LedgerError, match="this would cost"):
        release(corpus, asked("private-unigram", epsilon=4.0), folder)
    assert not list(folder.path.glob(f"*{JOURNAL}"))


def test_journal_of_another_version_corpus_or_request_is_not_reused(
    corpus: Corpus, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = asked("private-unigram")
    interrupt(corpus, request, folder)
    counts = corpus.counts.copy()
    counts.data[0] += 1
    changed_documents = Corpus(
        counts, corpus.vocabulary, Label.SENSITIVE, "letters", VocabularySource.FIXED
    )
    assert release(changed_documents, request, folder).charged
    assert release(corpus, asked("private-unigram", alpha0=2.0), folder).charged
    with monkeypatch.context() as patched:
        patched.setattr(progress, "source_version", lambda: "0.1.0+another")
        assert progress_of(charge_in(folder), folder) is Progress.OTHER_VERSION
        assert release(corpus, request, folder).charged
    assert n_charges(folder) == 4


def test_ledger_that_is_older_than_a_journal_is_refused(corpus: Corpus, folder: Folder) -> None:
    """It and its head come from a copy of before the answers that the journal holds."""
    met, request = selecting(corpus)
    with patch.object(perform, "_perform", side_effect=Interrupted), pytest.raises(Interrupted):
        release(met, request, folder)
    older = {path.name: path.read_bytes() for path in folder.path.iterdir()}
    del older[journal_file(folder).name]
    interrupt(met, request, folder, 2)
    for path in folder.path.glob(f"{LEDGER}*"):
        path.unlink()
    for name, content in older.items():
        (folder.path / name).write_bytes(content)
    with pytest.raises(LedgerError, match="old copy of the ledger"):
        release(met, request, folder)
    (fault,) = uncounted(folder, Ledger(folder))
    assert fault.startswith("entry 3: its journal holds answers that the ledger does not count")


def test_journal_that_no_charge_has_stops_the_ledger(corpus: Corpus, folder: Folder) -> None:
    """As a released file does: the ledger is older than both."""
    copy = folder.path.parent / "copy"
    back_up(folder, copy)
    interrupt(corpus, asked("private-unigram"), folder)
    path = journal_file(folder)
    (copy / path.name).write_bytes(path.read_bytes())
    with pytest.raises(LedgerError, match="was not paid for by this ledger"):
        release(corpus, asked("private-unigram"), Folder(copy))


def test_answer_that_another_machine_would_ask_for_otherwise_is_not_used(
    corpus: Corpus, folder: Folder
) -> None:
    interrupt(corpus, asked("private-unigram"), folder)
    journal = journal_of(charge_in(folder), folder)
    with pytest.raises(JournalError, match="Value 1 of this release was drawn otherwise"):
        journal.next_answer(AnswerLabel("words clipped word counts", 2.0**30, corpus.n_words))


def test_journal_on_a_full_disk_is_resumed_without_loss(corpus: Corpus, folder: Folder) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    with (
        patch("dplda.release.workflow.journal.journal.write_record", side_effect=full),
        pytest.raises(FolderError, match=r"Make room .* costs nothing more"),
    ):
        release(corpus, asked("private-unigram"), folder)
    assert repeat(corpus, asked("private-unigram"), folder)[0].was_finished


def selecting(corpus: Corpus, **choices: object) -> tuple[Corpus, Request]:
    """The documents over every word met, and a request that selects words."""
    met = Corpus(corpus.counts, corpus.vocabulary, Label.SENSITIVE, "letters", VocabularySource.MET)
    usual = {"n_words": 12, "epsilon": 0.5, "listed": corpus.vocabulary[:6]}
    return met, replace(asked("private-unigram"), selection=Selection(**usual | choices))


def test_selection_is_kept_as_the_words_that_were_taken_alone(
    corpus: Corpus, folder: Folder
) -> None:
    """Nothing in the journal is as long as the words met, or depends on how long the taken ones are."""
    sizes = set()
    for n_words_met in (30, 25):
        met, request = selecting(corpus)
        some = Corpus(
            met.counts[:, :n_words_met],
            met.vocabulary[:n_words_met],
            Label.SENSITIVE,
            "letters",
            VocabularySource.MET,
        )
        interrupt(some, request, folder)
        ((header, payload),) = records_in(folder)
        assert header == {"of": "selected words", "words": 12}
        rows = json.loads(payload)
        assert 6 <= len(rows) <= 12
        assert {word for word, *_ in rows} >= set(corpus.vocabulary[:6])
        sizes.add(journal_file(folder).stat().st_size)
        for path in folder.path.iterdir():
            path.unlink()
        Ledger(Folder(folder.path)).declare("mail", epsilon=3.0, delta=1e-5)
        folder = Folder(folder.path)
    assert len(sizes) == 1


def test_outcome_without_topics_is_said_again_at_no_charge(corpus: Corpus, folder: Folder) -> None:
    """As often as it is asked for: another draw of words would be a second one."""
    met, request = selecting(corpus, listed=(), epsilon=0.01)
    for _ in range(2):
        with pytest.raises(DpldaError, match="Too few words"):
            release(met, request, folder)
        assert n_charges(folder) == 1
        assert progress_of(charge_in(folder), folder) is Progress.WITHOUT_TOPICS
    assert len(Ledger(folder).kept_entries("mail")) == 2
    journal_file(folder).unlink()
    assert progress_of(charge_in(folder), folder) is Progress.GONE


def test_finished_runs_have_the_law_of_unbroken_ones(corpus: Corpus, folder: Folder) -> None:
    """Noise before and after an interruption is normal, of the declared scale, and independent.

    The standard deviation of 5,000 numbers has an error of 0.01. One seed in 500,000 would fail.
    """
    asked_for: list[tuple[np.ndarray, float]] = []
    honest = ExactNoise.admit

    def admit(
        source: ExactNoise, coordinates: np.ndarray, scale: float, *arguments: object
    ) -> None:
        honest(source, coordinates, scale, *arguments)
        asked_for.append((coordinates.copy(), scale))

    scores: list[np.ndarray] = []
    for n in (1, 5, 16, 25):
        run_folder = Folder(folder.path.parent / str(n))
        Ledger(run_folder).declare("mail", epsilon=3.0, delta=1e-5)
        used_answers = interrupt(corpus, asked(), run_folder, n, is_counted=n > 5)
        asked_for.clear()
        with patch.object(ExactNoise, "admit", admit):
            receipt, answers = repeat(corpus, asked(), run_folder)
        assert receipt.was_finished
        assert len(answers) == len(asked_for) > len(used_answers)
        scores += [
            (answer - value) / scale
            for answer, (value, scale) in zip(answers, asked_for, strict=True)
        ]
    all_scores = np.concatenate(scores)
    assert len(all_scores) > 5_000
    assert stats.kstest(all_scores, "norm").pvalue > 1e-6
    assert abs(np.std(all_scores) - 1) < 0.05
    assert len(np.unique(all_scores)) > 0.99 * len(all_scores)
