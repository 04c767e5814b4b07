"""From documents to a released file: what is refused before it is charged, what leaves, and what never does."""

import inspect
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dplda import cli
from dplda.corpus import Corpus, Label, VocabularySource
from dplda.errors import CorpusError, DpldaError, InputError, NotReleasable, ReadError
from dplda.methods import METHODS, Means, parse_method
from dplda.plan import Origin
from dplda.privacy.whole import fineness
from dplda.refined.documents import Documents
from dplda.release import artefact as artefacts
from dplda.release import make
from dplda.release.artefact import SUFFIX, read, read_file, write
from dplda.release.command import unpaid
from dplda.release.fingerprints import KEPT, familiar, fingerprints
from dplda.release.folder import Folder
from dplda.release.ledger import Ledger, LedgerError
from dplda.release.make import RELEASABLE, Receipt, Request, artefact_of, check, release
from dplda.report.page import page
from dplda.report.released import released_from
from dplda.settings import Settings
from tests.tiny_corpora import topical_corpus

CANARY = "xylophonic"  # a word of one document, and of no vocabulary


def asked(method: str = "refined", **changes) -> Request:
    given = {"n_topics": 3, "alpha0": 1.0, "epsilon": 1.0, "delta": 1e-6} | changes
    return Request("mail", "letters", Settings(method=parse_method(method), **given))


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    known = topical_corpus(0)
    return Corpus(known.counts, known.vocabulary, Label.SENSITIVE, "letters", VocabularySource.FIXED)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    found = Folder(tmp_path / "releases")
    Ledger(found).declare("mail", epsilon=3.0, delta=1e-5)
    return found


@pytest.fixture(scope="module")
def receipt(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Receipt:
    folder = Folder(tmp_path_factory.mktemp("kept") / "releases")
    Ledger(folder).declare("mail", epsilon=3.0, delta=1e-5)
    return release(corpus, asked(), folder)


@pytest.mark.parametrize("method", RELEASABLE)
def test_a_release_is_charged_kept_and_free_the_second_time(method: str, corpus: Corpus, folder: Folder) -> None:
    first = release(corpus, asked(method), folder)
    assert first.charged
    assert first.left[0] == pytest.approx(2.0)
    again = release(corpus, asked(method), folder)
    assert not again.charged
    assert again.left == first.left
    assert again.path == first.path
    assert write(again.artefact) == write(first.artefact) == first.path.read_bytes()
    assert again.artefact.promise.delta == 1e-6
    assert again.artefact.charge == Ledger(folder).entries("mail")[-1].hash
    assert unpaid(folder, Ledger(folder)) == ()


def test_another_request_is_charged_anew_until_nothing_is_left(corpus: Corpus, folder: Folder) -> None:
    for alpha0 in (1.0, 1.5, 2.0):
        assert release(corpus, asked("private-unigram", alpha0=alpha0), folder).charged
    with pytest.raises(LedgerError, match="this would cost"):
        release(corpus, asked("private-unigram", alpha0=3.0), folder)
    assert len(list(folder.path.glob(f"*{SUFFIX}"))) == 3


def test_nothing_on_the_path_takes_a_seed(corpus: Corpus, folder: Folder, tmp_path: Path) -> None:
    for function in (release, check, artefact_of, make._stored):
        assert not any("seed" in name for name in inspect.signature(function).parameters)
    other = Folder(tmp_path / "other")
    Ledger(other).declare("mail", epsilon=3.0, delta=1e-5)
    one, two = (release(corpus, asked("private-unigram", seed=7), where).artefact for where in (folder, other))
    assert not np.array_equal(one.mean_words, two.mean_words)


@pytest.mark.parametrize("method", sorted(set(METHODS) - {"refined", "adaptive/corrected", "private-unigram"}))
def test_other_methods_are_refused_before_they_are_charged(method: str, corpus: Corpus, folder: Folder) -> None:
    with pytest.raises(NotReleasable, match=r"^Not releasable: "):
        release(corpus, asked(method), folder)
    assert Ledger(folder).balance("mail").spent == (0, 0)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"n_topics": 1}, InputError),
        ({"n_topics": 31}, InputError),
        ({"alpha0": 0.0}, InputError),
        ({"epsilon": float("inf")}, InputError),
        ({"delta": 0.0}, InputError),
        ({"delta": 1.0}, InputError),
        ({"chosen": Origin.DOCUMENTS}, NotReleasable),
    ],
)
def test_a_request_out_of_range_is_refused_before_it_is_charged(changes, error, corpus: Corpus, folder: Folder) -> None:
    with pytest.raises(error):
        release(corpus, asked(**changes), folder)
    assert Ledger(folder).balance("mail").spent == (0, 0)


def test_a_vocabulary_from_the_documents_is_refused(corpus: Corpus, folder: Folder) -> None:
    taken = Corpus(corpus.counts, corpus.vocabulary, Label.SENSITIVE, "letters", VocabularySource.FROM_DATA)
    with pytest.raises(NotReleasable, match="vocabulary"):
        release(taken, asked(), folder)
    assert Ledger(folder).balance("mail").spent == (0, 0)


def test_an_artefact_is_never_made_from_simulated_noise(corpus: Corpus, folder: Folder) -> None:
    request = asked("private-unigram")
    entry = Ledger(folder).charge("mail", epsilon=1.0, delta=1e-6, detail="")
    found = request.settings.method.fit(corpus, request.settings, Means())
    with pytest.raises(NotReleasable, match="not exact"):
        artefact_of(found, corpus, request, entry)
    forged = replace(found, guarantee=replace(found.guarantee, releasable=True, caveats=()))
    with pytest.raises(NotReleasable, match="not exact"):
        artefact_of(forged, corpus, request, entry)


def test_a_fit_that_fails_has_been_paid_for(corpus: Corpus, folder: Folder) -> None:
    def give_up(fraction: float, step: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        release(corpus, asked(), folder, report=give_up)
    assert Ledger(folder).balance("mail").spent[0] > 0
    assert not list(folder.path.glob(f"*{SUFFIX}"))


def test_documents_of_one_dataset_are_not_another_ones(corpus: Corpus, folder: Folder) -> None:
    """Nor are they after one in fifty of them was changed; strangers are let be."""
    ledger = Ledger(folder)
    ledger.declare("fresh", epsilon=3.0, delta=1e-5)
    release(corpus, asked("private-unigram"), folder)
    counts = corpus.counts.toarray()
    counts[::50, 0] += 1
    changed = Corpus.from_counts(counts, corpus.vocabulary, label=corpus.label, name="letters")
    changed = Corpus(changed.counts, corpus.vocabulary, corpus.label, "letters", corpus.vocabulary_source)
    fresh = replace(asked("private-unigram"), dataset="fresh")
    with pytest.raises(LedgerError, match="belong to 'mail'"):
        release(changed, fresh, folder)
    assert ledger.balance("fresh").spent == (0, 0)
    strangers = topical_corpus(1)
    others = Corpus(strangers.counts, strangers.vocabulary, Label.SENSITIVE, "x", VocabularySource.FIXED)
    assert release(others, fresh, folder).charged


def test_fingerprints_are_of_documents_whatever_the_order_of_rows_and_words(corpus: Corpus, folder: Folder) -> None:
    order = np.random.default_rng(0).permutation(corpus.n_words)
    words = tuple(corpus.vocabulary[i] for i in order)
    turned = Corpus(corpus.counts[::-1][:, order], words, corpus.label, "x", corpus.vocabulary_source)
    assert fingerprints(turned, folder) == fingerprints(corpus, folder)
    known = fingerprints(corpus, folder)
    assert not any(word in " ".join(known) for word in corpus.vocabulary)


@pytest.mark.parametrize("shared", [0.0, 0.02, 0.5, 1.0])
def test_a_sample_of_hashes_tells_the_share_that_is_known(shared: float) -> None:
    """Of 40,000 documents; the estimate's standard error is at most 0.008, and it may be five of them off."""
    rng = np.random.default_rng(0)
    numbers = rng.choice(2**60, 80_000, replace=False)
    begin = round(40_000 * (1 - shared))
    one, two = (
        tuple(sorted(f"{n:016x}" for n in part)[:KEPT]) for part in (numbers[:40_000], numbers[begin:][:40_000])
    )
    assert familiar(one, two) == pytest.approx(shared, abs=0.04)


def test_the_file_says_everything_and_comes_back_as_it_was(receipt: Receipt) -> None:
    file = receipt.path.read_bytes()
    found = read(file, "a file")
    assert write(found) == file
    for name in artefacts.ARRAYS:
        np.testing.assert_array_equal(getattr(found, name), getattr(receipt.artefact, name))
    assert found.drawn == receipt.artefact.drawn
    assert sum(one.mu**2 * one.times for one in found.drawn) > 0
    content = json.loads(file)
    assert content["format"] == "dplda release"
    assert content["release"]["promise"]["epsilon"] == 1.0
    assert "pickle" not in inspect.getsource(artefacts).replace("no pickles", "")


@pytest.mark.parametrize("place", [0.02, 0.3, 0.6, 0.9, 0.99])
def test_a_damaged_file_is_refused(place: float, receipt: Receipt) -> None:
    file = bytearray(receipt.path.read_bytes())
    at = int(place * len(file))
    while not chr(file[at]).isalnum():
        at += 1
    file[at] ^= 1
    with pytest.raises(ReadError):
        read(bytes(file), "a file")


@pytest.mark.parametrize("file", [b"", b"{}", b"[1]", b"\xff\xfe", b'{"format": "dplda run card"}', b"[" * 100_000])
def test_another_file_is_refused(file: bytes) -> None:
    with pytest.raises(ReadError):
        read(file, "a file")


def test_a_release_is_a_report_without_a_warning(receipt: Receipt) -> None:
    shown = page(released_from(receipt.artefact))
    assert "Before you read on" not in shown
    assert "simulated, for looking" not in shown
    assert "(ε = 1, δ = 1e-6)-differentially private" in shown
    assert page(released_from(read_file(receipt.path))) == shown


def of_persons(corpus: Corpus, persons: np.ndarray) -> Corpus:
    return Corpus.from_counts(
        corpus.counts,
        corpus.vocabulary,
        label=Label.SENSITIVE,
        name="letters",
        vocabulary_source=VocabularySource.FIXED,
        persons=persons,
    )


def test_where_persons_are_protected_theirs_are_read_as_one_and_every_sentence_says_so(corpus, folder: Folder) -> None:
    ledger = Ledger(folder)
    ledger.declare("people", epsilon=3.0, delta=1e-5, protects="person")
    asked_for = replace(asked("adaptive"), dataset="people")
    with pytest.raises(NotReleasable, match="nothing says whose the documents are"):
        release(corpus, asked_for, folder)
    assert ledger.balance("people").spent == (0, 0)
    whose = of_persons(corpus, np.arange(corpus.n_documents) // 4)
    found = release(whose, asked_for, folder).artefact
    assert found.n_documents == corpus.n_documents // 4
    assert found.promise.protected == "replace all documents of one person"
    assert "when all documents of one person are replaced" in found.promise.in_words
    assert "the number of persons is public" in found.promise.rests_on[0]
    assert not any("one document, replaced" in said for said in found.promise.rests_on)
    shown = page(released_from(found))
    assert "Take any person and exchange all of their documents" in shown
    assert "one person moves it by at most" in shown
    assert "about one document" not in shown
    assert f'<th scope="row">Persons</th><td>{found.n_documents}</td>' in shown
    assert json.loads(ledger.entries("people")[-1].detail)["persons"] == found.n_documents


def test_what_a_dataset_protects_is_decided_once(folder: Folder) -> None:
    ledger = Ledger(folder)
    with pytest.raises(LedgerError, match="a document or a person"):
        ledger.declare("people", epsilon=3.0, delta=1e-5, protects="crowd")
    ledger.declare("people", epsilon=3.0, delta=1e-5, protects="person")
    ledger.lower("people", epsilon=2.0, delta=1e-5)
    assert (ledger.protects("people"), ledger.protects("mail")) == ("person", "document")


def test_corpora_that_differ_in_one_person_differ_in_one_row_that_is_as_far_as_any_other(corpus: Corpus) -> None:
    """All ten documents of a person replaced: what moves is one part of bounded norm, not ten."""
    persons = np.repeat(np.arange(corpus.n_documents // 10), 10)
    bounds, sums = {}, {}
    for name, word in (("one", 3), ("other", 17)):
        counts = corpus.counts.toarray()
        counts[persons == 7] = 0
        counts[persons == 7, word] = 500
        changed = Corpus.from_counts(counts, corpus.vocabulary, label=Label.PUBLIC, name="x", persons=persons)
        for unit, rows in (("person", changed.by_person()), ("document", changed)):
            whole = Documents(rows.counts, 3).whole_word_counts(bound=2.0)
            sums[unit, name], bounds[unit] = whole.numbers, int(fineness(rows.n_documents))
    apart = {
        unit: sum(int(x) ** 2 for x in sums[unit, "one"] - sums[unit, "other"]) / bounds[unit] ** 2 for unit in bounds
    }
    assert apart["person"] <= 2
    assert apart["person"] == pytest.approx(2, rel=1e-6)
    assert apart["document"] == pytest.approx(200, rel=1e-6), "ten documents at once are ten times as far"


def test_persons_sum_up(corpus: Corpus) -> None:
    persons = np.random.default_rng(0).integers(0, 50, corpus.n_documents)
    rows = of_persons(corpus, persons).by_person()
    assert rows.n_documents == 50
    assert rows.counts.sum() == corpus.counts.sum()
    own = corpus.counts.toarray()[persons == persons[0]].sum(axis=0)
    np.testing.assert_array_equal(rows.counts.toarray()[0], own)
    with pytest.raises(CorpusError, match="whose the documents are"):
        corpus.by_person()


@pytest.fixture
def letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A file of documents with a canary in one, a list of words, and a folder for releases: arguments of a release."""
    monkeypatch.setenv("DPLDA_RELEASES", str(tmp_path / "releases"))
    rng = np.random.default_rng(0)
    words = np.array(["kettle", "milk", "sugar", "lemon", "spoon"])
    lines = [" ".join(rng.choice(words, 20, p=row)) for row in rng.dirichlet(np.full(5, 0.3), 500)]
    lines[7] += f" {CANARY}"
    (tmp_path / "letters.txt").write_text("\n".join(lines), "utf-8")
    (tmp_path / "words.txt").write_text("\n".join(words), "utf-8")
    given = [
        "--dataset",
        "mail",
        "--title",
        "tea",
        "--words",
        str(tmp_path / "words.txt"),
        "--method",
        "private-unigram",
    ]
    return ["release", str(tmp_path / "letters.txt"), *given, "--topics", "2", "--epsilon", "1", "--delta", "1e-6"]


def test_the_command_shows_a_price_and_releases_when_told_to(letters, tmp_path: Path, capsys) -> None:
    assert cli.main(letters) == 2
    assert "Declare it" in capsys.readouterr().err
    assert cli.main(["ledger", "declare", "mail", "--epsilon", "1.5"]) == 0
    assert cli.main(letters) == 1
    said = capsys.readouterr().out
    assert "It costs ε = 1 and δ = 1e-6 of 'mail'" in said
    assert "Nothing was released or charged" in said
    out = tmp_path / f"tea{SUFFIX}"
    assert cli.main([*letters, "--yes", "--out", str(out)]) == 0
    assert "Released." in capsys.readouterr().out
    assert cli.main([*letters, "--yes"]) == 0
    assert "it cost nothing" in capsys.readouterr().out
    assert cli.main(["ledger", "list"]) == 0
    assert "mail: ε = 0.5 of 1.5" in capsys.readouterr().out
    assert cli.main(["ledger", "verify"]) == 0
    assert cli.main(["report", str(out), "--out", str(tmp_path / "report.html")]) == 0
    assert "kettle" in (tmp_path / "report.html").read_text("utf-8")
    for action in (["show", "mail"], ["export"], ["lower", "mail", "--epsilon", "1.2"]):
        assert cli.main(["ledger", *action]) == 0
    everything = capsys.readouterr()
    assert CANARY not in everything.out + everything.err
    for path in tmp_path.rglob("*"):
        if path.is_file() and path.name != "letters.txt":
            assert CANARY.encode() not in path.read_bytes(), path.name


def test_a_restored_ledger_is_found_by_what_was_released_after_it(letters, tmp_path: Path, capsys) -> None:
    cli.main(["ledger", "declare", "mail", "--epsilon", "2"])
    ledger = tmp_path / "releases" / "ledger.sqlite"
    kept = ledger.read_bytes()
    assert cli.main([*letters, "--yes"]) == 0
    for part in tmp_path.glob("releases/ledger.sqlite-*"):
        part.unlink()
    ledger.write_bytes(kept)
    capsys.readouterr()
    assert cli.main(["ledger", "verify"]) == 1
    assert "was not paid for by this ledger" in capsys.readouterr().out


def test_errors_never_quote_a_document(letters, tmp_path: Path, capsys) -> None:
    cli.main(["ledger", "declare", "mail", "--epsilon", "2"])
    (tmp_path / "letters.txt").write_bytes(f"{CANARY} \xff".encode("latin-1"))
    assert cli.main([*letters, "--yes"]) == 2
    said = capsys.readouterr()
    assert CANARY not in said.out + said.err
    assert isinstance(NotReleasable("x"), DpldaError)


def test_a_column_says_whose_documents_are_protected_together(letters, tmp_path: Path, capsys) -> None:
    cli.main(["ledger", "declare", "people", "--epsilon", "2", "--protects", "person"])
    lines = (tmp_path / "letters.txt").read_text("utf-8").splitlines()
    table = tmp_path / "letters.csv"
    table.write_text("who,text\n" + "\n".join(f"p{i // 5},{line}" for i, line in enumerate(lines)), "utf-8")
    asked_for = ["release", str(table), *letters[2:], "--text", "text", "--yes"]
    asked_for[asked_for.index("mail")] = "people"
    assert cli.main(asked_for) == 2
    assert "nothing says whose the documents are" in capsys.readouterr().err
    assert cli.main([*asked_for, "--person", "who"]) == 0
    said = capsys.readouterr().out
    assert "2 topics of 100 persons" in said
    assert "when all documents of one person are replaced" in said
    assert "p12" not in said
