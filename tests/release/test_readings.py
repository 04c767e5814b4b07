"""Documents that an earlier version read: their releases stay free, go on, and stay with their dataset."""

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from dplda.cli.main import main
from dplda.core.errors import NotReleasable
from dplda.corpus import Corpus, Label, Tokenisation, load
from dplda.corpus.words.reading import FIRST_READING, READING
from dplda.methods.shares.groups import GroupAxis, Groups
from dplda.release.ledger.fingerprints import holds_former_readings, note_documents
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger, LedgerError
from dplda.release.shares.perform import release_shares
from dplda.release.shares.request import SharesRequest
from dplda.release.shares.shares_file import AxisSource
from dplda.release.workflow.continuation import as_charged
from dplda.release.workflow.draft import Draft
from dplda.release.workflow.perform import release
from dplda.release.workflow.price import FORMER_FILES
from dplda.release.workflow.release_store import find_dataset
from tests.few_runs import few_runs
from tests.release.conftest import asked
from tests.seeded_noise import zero_noise

BEFORE = Path(__file__).parent / "before"
RECORDED = json.loads((BEFORE / "digests.json").read_text("utf-8"))
NOTES = ["notes.txt", "--dataset", "notes", "--title", "notes", "-k", "2"]
LETTERS = ["letters.csv", "--dataset", "letters", "--title", "letters", "-k", "2"]
FIXED = [*NOTES, "--words", "words.txt", "--epsilon", "1"]
SELECTED = [
    *(*NOTES, "--words", "plain.txt", "--select", "15", "--stop-words", "out.txt"),
    *("--epsilon", "1", "--method", "private-unigram"),
]
PERSONS = [*LETTERS, "--person", "person", "--words", "plain.txt", "--epsilon", "1"]


@pytest.fixture
def before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A copy of the release folder, with modes that version control does not keep, beside its documents."""
    shutil.copytree(BEFORE, tmp_path, dirs_exist_ok=True)
    releases = tmp_path / "releases"
    releases.chmod(0o700)
    for path in releases.iterdir():
        path.chmod(0o600)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DPLDA_RELEASES", str(releases))
    return Folder(releases)


def words_of(name: str) -> list[str]:
    return (BEFORE / name).read_text("utf-8").split()


def read(file: str, words: str = "words.txt", **options) -> Corpus:
    """A file of sensitive documents, over a list of words or, for "", every word met."""
    over = {"vocabulary": words_of(words)} if words else {"n_words": None}
    return load(BEFORE / file, label=Label.SENSITIVE, **over, **options)


def n_charges(folder: Folder) -> int:
    return [entry.kind for entry in Ledger(folder).entries()].count("charged")


@pytest.mark.parametrize(
    "request_made", [FIXED, SELECTED, PERSONS], ids=["list", "picked", "persons"]
)
def test_release_asked_for_again_after_an_upgrade_is_free(request_made, before, capsys) -> None:
    assert main(["release", *request_made]) == 0
    assert "This was released before" in capsys.readouterr().out
    assert n_charges(before) == 3


@pytest.mark.parametrize(
    ("charge", "request_made"),
    [
        ("1599952c08a15991d968acfa04daac5c", [*NOTES[:-2], "--epsilon", "1.5"]),
        (
            "52fe5354706ee4d723f5fb93022ea0c2",
            [*LETTERS[:-2], "--person", "person", "--epsilon", "1.5"],
        ),
    ],
    ids=["documents", "persons"],
)
def test_release_continued_after_an_upgrade_goes_on(charge, request_made, before, capsys) -> None:
    parent = ["--continue", str(before.path / f"{charge}.dplda.json")]
    assert main(["release", *request_made, *parent, "--yes"]) == 0
    assert "Released." in capsys.readouterr().out
    assert n_charges(before) == 4
    last_entry = Ledger(before).entries()[-1]
    assert json.loads(last_entry.detail)["continues"] == charge


def test_price_after_an_upgrade_says_which_files_are_charged_again(before, capsys) -> None:
    assert main(["release", *FIXED[:-1], "1.25"]) == 1
    assert FORMER_FILES in capsys.readouterr().out


def test_price_without_an_upgrade_leaves_former_files_out(before, capsys) -> None:
    assert main(["ledger", "declare", "new", "--epsilon", "3"]) == 0
    fresh = [
        "letters.csv",
        "--dataset",
        "new",
        "--title",
        "new",
        "-k",
        "2",
        "--words",
        "plain.txt",
        "--epsilon",
        "1",
    ]
    assert main(["release", *fresh]) == 1
    assert FORMER_FILES not in capsys.readouterr().out


def test_draft_after_an_upgrade_says_which_files_are_charged_again(before) -> None:
    corpus = read("notes.txt")
    request = replace(asked(n_topics=2), dataset="notes")
    balances = {"notes": Ledger(before).balance("notes")}
    draft = Draft(corpus, "document", balances, request, None, is_started=False)
    assert FORMER_FILES in draft.price()


@pytest.mark.parametrize("file", ["notes.txt", "letters.csv"])
@pytest.mark.parametrize("words", ["words.txt", "plain.txt", ""])
def test_documents_noted_before_an_upgrade_belong_to_their_dataset(file, words, before) -> None:
    corpus = read(file, words)
    assert find_dataset(corpus, before) == file.partition(".")[0]
    with pytest.raises(LedgerError, match="of these documents belong to"):
        note_documents(corpus, "others", before, Ledger(before))


def test_ledger_of_an_earlier_version_holds_former_readings(before) -> None:
    assert holds_former_readings(Ledger(before)) is (READING > FIRST_READING)


def test_new_ledger_holds_no_former_readings(tmp_path) -> None:
    assert not holds_former_readings(Ledger(Folder(tmp_path / "new")))


@pytest.mark.parametrize(
    "row", RECORDED, ids=lambda row: f"{row['file']}-{row['words']}-{row['tokenisation']}"
)
def test_first_reading_gives_the_digests_that_it_gave(row) -> None:
    options = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in row["tokenisation"].items()
    }
    person = "person" if row["file"].endswith(".csv") else None
    options_of_reading = {"tokenisation": Tokenisation(**options), "person": person}
    if row["words"] == "most frequent":
        corpus = load(BEFORE / row["file"], label="sensitive", n_words=20, **options_of_reading)
    else:
        words = row["words"] if row["words"] != "every word" else ""
        corpus = read(row["file"], words, **options_of_reading)
    first_reading = corpus.readings[-1]
    assert first_reading.digest == row["digest"]
    assert hashlib.sha256(first_reading.texts.astype("<u8").tobytes()).hexdigest() == row["texts"]


@pytest.fixture
def changed(corpus: Corpus) -> Corpus:
    """Documents as a new reading makes them, two words of each document more, beside the reading before it."""
    former = replace(corpus, reading=READING - 1)
    counts = corpus.counts.toarray()
    counts[:, :2] += 1
    return replace(corpus, counts=counts, former=former)


def test_release_of_a_former_reading_is_found_by_every_lookup(
    changed: Corpus, folder: Folder
) -> None:
    first_receipt = release(changed.former, asked("private-unigram"), folder)
    repeated_receipt = release(changed, asked("private-unigram"), folder)
    assert (repeated_receipt.charged, repeated_receipt.artefact.receipt_number) == (
        False,
        first_receipt.artefact.receipt_number,
    )
    assert find_dataset(changed, folder) == "mail"
    assert find_dataset(replace(changed, former=None), folder) is None
    Ledger(folder).declare("fresh", epsilon=3.0, delta=1e-5)
    elsewhere = replace(asked("private-unigram"), dataset="fresh")
    with pytest.raises(LedgerError, match="About 100% of these documents belong to 'mail'"):
        release(changed, elsewhere, folder)


def test_continuation_of_a_former_reading_uses_the_counts_of_that_reading(
    changed: Corpus, folder: Folder
) -> None:
    first_release = release(changed.former, asked("refined"), folder).artefact
    continuation = asked("refined").continuing(first_release, 1.5)
    assert as_charged(changed, continuation, folder) is changed.former
    release(changed, continuation, folder)
    last_entry = Ledger(folder).entries()[-1]
    assert json.loads(last_entry.detail)["reading"] == READING - 1


def test_new_request_uses_the_reading_of_today(changed: Corpus, folder: Folder) -> None:
    release(changed.former, asked("private-unigram"), folder)
    assert release(changed, asked("private-unigram", alpha0=2.0), folder).charged
    last_entry = Ledger(folder).entries()[-1]
    assert json.loads(last_entry.detail)["reading"] == READING


@pytest.fixture
def names() -> Corpus:
    """Documents of authors whose names are spelled in several ways."""
    words = ["tea", "milk", "sugar", "lemon", "spoon", "kettle"]
    path = BEFORE / "names.csv"
    return load(path, label=Label.SENSITIVE, vocabulary=words, person="person")


@pytest.fixture
def persons_folder(tmp_path: Path) -> Folder:
    """A release folder with a dataset that protects each person."""
    folder = Folder(tmp_path / "releases")
    Ledger(folder).declare("mail", epsilon=9.0, delta=1e-5, protects="person")
    return folder


def test_release_of_persons_under_former_names_is_found_free(
    names: Corpus, persons_folder: Folder
) -> None:
    """Eight names of four persons: the first reading took each for a person."""
    former_reading = names.readings[-1]
    assert (names.n_persons, former_reading.n_persons) == (4, 8)
    request = asked("private-unigram", n_topics=2)
    first_receipt = release(former_reading, request, persons_folder)
    repeated_receipt = release(names, request, persons_folder)
    assert not repeated_receipt.charged
    assert repeated_receipt.path == first_receipt.path


def test_continuation_that_would_protect_a_part_of_a_person_is_refused(
    names: Corpus, persons_folder: Folder
) -> None:
    request = asked("refined", n_topics=2)
    first_release = release(names.readings[-1], request, persons_folder).artefact
    continuation = request.continuing(first_release, 1.5)
    with pytest.raises(NotReleasable, match="some person's names for several persons"):
        release(names, continuation, persons_folder)
    assert n_charges(persons_folder) == 1


def test_table_of_shares_that_would_protect_a_part_of_a_person_is_refused(
    persons_folder: Folder,
) -> None:
    """Four persons under eight names: a table by the former persons would let one move two rows."""
    words = ["tea", "milk", "sugar", "lemon", "spoon", "kettle"]
    documents = load(
        BEFORE / "names.csv",
        label=Label.SENSITIVE,
        vocabulary=words,
        person="person",
        groups=["person"],
    )
    former_reading = documents.readings[-1]
    with few_runs(), zero_noise():
        topics = release(former_reading, asked(n_topics=2), persons_folder).artefact
    groups = Groups((GroupAxis(("ann poe", "101")),))
    request = SharesRequest(
        "mail", topics, groups, (AxisSource("person"),), epsilon=0.3, delta=1e-6
    )
    with pytest.raises(NotReleasable, match="some person's names for several persons"):
        release_shares(documents, request, persons_folder)
    assert n_charges(persons_folder) == 1
