"""Release: six steps in one page; nothing is charged but by its button, and then once."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest
import streamlit as st

from dplda.corpus import Corpus, Label, VocabularySource
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.privacy.noise.exact import delta_of_noise
from dplda.privacy.release import Caveat
from dplda.release.artefact.released_file import SUFFIX, read_release, write_release
from dplda.release.ledger.file_seal import sealed
from dplda.release.ledger.folder import Folder, FolderError
from dplda.release.ledger.ledger import Ledger, LedgerError
from dplda.release.workflow.draft import ReleaseStep
from dplda.ui.release import rehearsal
from dplda.ui.state.keys import Key
from dplda.ui.upload.form import VocabularyChoice
from tests.pages.conftest import bring, go, said

SMALL = {
    "v": "1",
    "corpus": "simulated_700_30_3_1_40_poisson_0.1_0",
    "k": "3",
    "alpha0": "1",
    "epsilon": "1",
}
SMALL |= {"configuration": "private-unigram", "delta": "1e-7"}
REPORT, FILE = "dplda-report.html", f"release{SUFFIX}"
WORDS = ("kettle", "milk", "sugar", "lemon", "spoon", "zanzibarcanary")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    path = tmp_path / "releases"
    monkeypatch.setenv("DPLDA_RELEASES", str(path))
    return path


@pytest.fixture
def mail(folder):
    ledger = Ledger(Folder(folder))
    ledger.declare("mail", epsilon=2.5, delta=1e-6)
    return ledger


@pytest.fixture
def saved(monkeypatch):
    """What the buttons of files would save."""
    files = {}
    monkeypatch.setattr(
        st,
        "download_button",
        lambda *_, data, file_name, **options: files.update({file_name: data}),
    )
    return files


def onward(app) -> None:
    button = app.button(key=Key.RELEASE_NEXT)
    assert not button.disabled, said(app)
    button.click().run()
    assert not app.exception, [problem.value for problem in app.exception]


def step(app) -> str:
    return app.button_group(key=Key.RELEASE_STEPS).value


def at_release(open_page, **changes):
    """At the step of the release, or at one before it that refuses; the budget is “mail”."""
    app = open_page("release", SMALL | {Key.RELEASE_STEP: "release"} | changes)
    pay_with_mail(app, changes.get(Key.RELEASE_STEP, "release"))
    return app


def pay_with_mail(app, wanted_step: str = "release") -> None:
    """Documents that were never charged have no budget until one is chosen."""
    for box in app.selectbox:
        if box.key.startswith(Key.RELEASE_DATASET) and not box.value:
            box.set_value("mail").run()
            while (
                step(app) < ReleaseStep[wanted_step.upper()]
                and not app.button(key=Key.RELEASE_NEXT).disabled
            ):
                onward(app)


def table() -> bytes:
    """Two documents of each person, who keeps to one half of the words: two clear topics."""
    rng = np.random.default_rng(0)
    half = len(WORDS) // 2
    rows = rng.dirichlet(np.full(half, 0.3), 2000)
    lines = []
    for i, row in enumerate(rows):
        person = i // 2
        own_words = WORDS[:half] if person % 2 else WORDS[half:]
        lines.append(f"{i},{' '.join(rng.choice(own_words, 20, p=row))},person {person}")
    return "\n".join(["Id,Message,From", *lines]).encode()


def uploaded(open_page, words: VocabularyChoice):
    """A sensitive table of persons on the page, its words to be chosen so."""
    app = open_page("release", {"k": "2", "epsilon": "2", "configuration": "refined"})
    app.file_uploader(key=f"{Key.FILE}.0").set_value(("mail.csv", table(), "text/csv")).run()
    app.selectbox(key=f"{Key.COLUMN}.mail.csv").set_value("Message")
    app.selectbox(key=f"{Key.PERSON}.mail.csv").set_value("From")
    app.radio(key=f"{Key.LABEL}.0").set_value("sensitive").run()
    return app.selectbox(key=f"{Key.VOCABULARY}.sensitive").set_value(words).run()


def test_file_step_says_whose_documents_are_unclear(open_page, folder) -> None:
    app = open_page("release", {"k": "2", "epsilon": "2", "configuration": "refined"})
    several = table().replace(b"person 3", b"ann@x.test; bo@y.test")
    app.file_uploader(key=f"{Key.FILE}.0").set_value(("mail.csv", several, "text/csv")).run()
    app.selectbox(key=f"{Key.COLUMN}.mail.csv").set_value("Message")
    app.selectbox(key=f"{Key.PERSON}.mail.csv").set_value("From")
    app.radio(key=f"{Key.LABEL}.0").set_value("sensitive").run()
    app.button(key=Key.READ).click().run()
    assert [error.value for error in app.error] == []
    assert "documents with several addresses as their author: only the first" in said(app)


def test_over_selected_words_epsilon_promises_the_unit_that_is_chosen(open_page, folder) -> None:
    app = uploaded(open_page, VocabularyChoice.SELECTED).button(key=Key.READ).click().run()
    onward(app)
    for unit in ("person", "document"):
        next(radio for radio in app.radio if radio.key.startswith(Key.RELEASE_UNIT)).set_value(
            unit
        ).run()
        onward(app)
        assert f"which of two equally likely {unit}s was in is right at most 59 times" in said(app)
        app.button(key=Key.RELEASE_BACK).click().run()


def test_rehearsal_of_two_releases_predicts_the_first(open_page, mail) -> None:
    app = at_release(open_page, **{Key.RELEASE_STEP: "rehearsal", "configuration": "refined"})
    app.button_group(key=Key.RELEASE_PLAN).set_value(rehearsal.LOOK).run()
    assert "A first release at ε = 0.3 would find " in said(app)
    assert not app.exception


def test_release_page_charges_once_by_its_button_alone(open_page, mail, saved) -> None:
    app = at_release(open_page)
    assert "This uses 16% of the budget of “mail”" in said(app)
    assert mail.balance("mail").added_up == (0, 0)
    app.button(key=Key.RELEASE_NOW).click().run()
    assert "- Released.\n" in said(app)
    assert hashlib.sha256(saved[FILE]()).hexdigest() in said(app)
    assert len(mail.entries("mail")) == 3  # declared, documents noted, charged
    app = at_release(open_page)
    assert "costs nothing" in said(app)
    assert not any(button.key == Key.RELEASE_NOW for button in app.button)
    assert len(mail.entries("mail")) == 3
    other_session = open_page(
        "release", SMALL | {Key.RELEASE_STEP: "budget", "corpus": f"{SMALL['corpus'][:-1]}1"}
    )
    dataset_box = next(
        box for box in other_session.selectbox if box.key.startswith(Key.RELEASE_DATASET)
    )
    assert (dataset_box.value, len(dataset_box.options)) == ("", 2), (
        "other documents never take its budget unasked"
    )
    next(box for box in other_session.text_input if box.key.startswith(Key.LEDGER_NAME)).set_value(
        "mail"
    ).run()
    assert (
        "There is a budget 'mail' already. Choose it for the same documents, or another name."
        in said(other_session)
    )
    app = at_release(open_page, epsilon="2.5")
    assert step(app) == ReleaseStep.BUDGET
    assert "has less left than this release uses" in said(app)


def test_release_page_states_what_was_seen_of_the_documents(open_page, mail) -> None:
    """Over whichever words they are read; other documents were not seen."""
    counts, app = np.random.default_rng(0).poisson(1.0, (300, 12)), at_release(open_page)
    blind, caveat = (
        "its owner chose the word list",
        f"{Caveat.LOOKED[1:]}. Its owner tried settings",
    )

    def use(first_text: int, n_words: int) -> None:
        texts = np.arange(first_text, first_text + 300, dtype=np.uint64)
        bare = Corpus.from_counts(counts[:, :n_words], label=Label.SENSITIVE, name="mail")
        bring(app, replace(bare, vocabulary_source=VocabularySource.FIXED, texts=texts))
        pay_with_mail(app)

    use(1, 12)
    assert blind in said(app)
    go(app, "topics").toggle(key=Key.UNNOISED).set_value(True).run()
    go(app, "release")
    assert caveat in said(app)
    use(1, 10)
    assert caveat in said(app)
    use(1000, 12)
    assert blind in said(app)


@pytest.mark.parametrize(
    ("changes_of_request", "at", "reason"),
    [
        ({"configuration": "config-1"}, ReleaseStep.BUDGET, "not proven in exact arithmetic"),
        ({"corpus": "docstrings"}, ReleaseStep.FILE, "vocabulary was taken from the documents"),
        ({"corpus": "uploaded"}, ReleaseStep.FILE, "Choose a file"),
    ],
)
def test_release_page_refuses_at_the_step_that_mends_it(
    open_page, mail, changes_of_request, at, reason
) -> None:
    app = at_release(open_page, **changes_of_request)
    assert step(app) == at
    assert reason in said(app)
    assert not any(button.key == Key.RELEASE_NOW for button in app.button)


def test_release_without_room_in_the_folder_is_saved_from_the_page(
    open_page, mail, saved, monkeypatch
) -> None:
    app, write = at_release(open_page), Folder.write

    def full(own_folder: Folder, name: str, *content: bytes, **options: object) -> object:
        if name.endswith(SUFFIX):
            raise FolderError("full")
        return write(own_folder, name, *content, **options)

    monkeypatch.setattr(Folder, "write", full)
    app.button(key=Key.RELEASE_NOW).click().run()
    assert "was paid for" in said(app)
    assert read_release(saved[FILE](), "a file").guarantee.epsilon == 1


def test_continued_release_on_the_page_keeps_topic_names(open_page, mail, saved) -> None:
    app = at_release(open_page).button(key=Key.RELEASE_NOW).click().run()
    other_tab = open_page("release", dict(app.query_params))
    for tab, row, name in ((app, 0, "Tea"), (other_tab, 1, "Milk")):
        [box for box in tab.text_input if box.key.startswith(Key.RELEASE_NAME)][row].set_value(
            name
        ).run()
    first_release = read_release(saved[FILE](), "a file")
    total = next(box for box in app.number_input if box.label == "Total ε wanted, at δ = 1e-7")
    mus = [gaussian.mu_for(epsilon, delta_of_noise(1e-7)) for epsilon in (1.0, 2.0)]
    missing = gaussian.epsilon_for(gaussian.remaining_mu(mus[1], mus[0]), delta_of_noise(1e-7))
    assert f"(ε = {format_rounded_up(missing, 3)}, " in said(app), "of 2, what is missing"
    total.set_value(5.0).run()
    assert app.button(key=Key.RELEASE_ADD).disabled
    total.set_value(20.0).run()
    assert all(text in said(app) for text in ("too fine for its grid", "SHA-256")), (
        "a refusal hides nothing below it"
    )
    total.set_value(1.5).run()
    app.button(key=Key.RELEASE_ADD).click().run()
    second = read_release(saved[FILE](), "a file")
    assert (second.resumable.parent.receipt_number, second.guarantee.claimed_epsilon) == (
        first_release.receipt_number,
        1.5,
    )
    assert second.names == first_release.names == ("Tea", "Milk", None)
    next(box for box in app.multiselect if box.label == "Topics to merge").set_value(
        [(0,), (1,)]
    ).run()
    app.button(key=Key.RELEASE_MERGE).click().run()
    for shown_groups, groups, hidden_groups in (
        ([(2,)], ((2,),), ((0, 1),)),
        ([(2,), (0, 1)], ((2,), (0, 1)), ()),
    ):
        next(box for box in app.multiselect if box.key.startswith(Key.RELEASE_GROUPS)).set_value(
            shown_groups
        ).run()
        third = read_release(saved[FILE](), "a file")
        assert (third.groups, third.hidden) == (groups, hidden_groups), "hidden topics stay merged"
    assert [entry.kind for entry in mail.entries("mail")].count("charged") == 2
    app = at_release(open_page, **{Key.RELEASE_STEP: "share"})
    assert read_release(saved[FILE](), "a file").receipt_number == second.receipt_number, (
        "the last of the chain, when looked at again"
    )


@pytest.fixture
def interrupted(open_page, mail, monkeypatch):
    """At the release of all of a budget, which ends after its only answer was counted."""
    mail.lower("mail", epsilon=1.0, delta=1e-7)
    app = at_release(open_page)
    note_kept = Ledger.note_kept

    def note_and_end(ledger: Ledger, *arguments: str, **options: None) -> None:
        note_kept(ledger, *arguments, **options)
        raise LedgerError("The process ends.")

    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "note_kept", note_and_end)
        app.button(key=Key.RELEASE_NOW).click().run()
    assert "The process ends." in said(app)
    return app


def test_interrupted_release_is_finished_from_its_step_at_no_further_charge(
    open_page, mail, interrupted, saved
) -> None:
    """Although nothing of the budget is left for another one."""
    app = at_release(open_page)
    assert "This release was interrupted after it was charged. Finishing it uses no more" in said(
        app
    )
    assert "of the budget of “mail”" not in said(app)
    button = app.button(key=Key.RELEASE_NOW)
    assert (button.label, button.disabled) == ("Finish the release", False)
    button.click().run()
    assert step(app) == ReleaseStep.SHARE
    assert read_release(saved[FILE](), "a file").guarantee.epsilon == 1
    assert [entry.kind for entry in mail.entries("mail")].count("charged") == 1


def test_interrupted_release_is_named_where_files_are_chosen(open_page, interrupted) -> None:
    app = open_page("release", SMALL | {Key.RELEASE_STEP: "file"})
    assert "“mail” was interrupted: private-unigram, k = 3, ε = 1, " in said(app)
    assert "It is paid for. Choose the same documents and settings to finish it." in said(app)
    app = at_release(open_page, **{Key.RELEASE_STEP: "budget"})
    assert "Finishing it uses no more of the budget" in said(app)
    assert not app.button(key=Key.RELEASE_NEXT).disabled


def test_release_left_by_a_kill_is_opened_unless_damaged(open_page, folder, mail) -> None:
    at_release(open_page, configuration="refined").button(key=Key.RELEASE_NOW).click().run()
    (file,) = folder.glob(f"*{SUFFIX}")
    address = SMALL | {
        "configuration": "refined",
        Key.RELEASE_OPENED: file.name.removesuffix(SUFFIX),
    }
    topics = replace(read_release(file.read_bytes(), "a file"), lower=None, upper=None)
    file.rename(folder / ".0.room").write_bytes(write_release(sealed(topics, Folder(folder))))
    with Folder(folder).turn():
        assert "not in the release folder" in said(open_page("release", address)), (
            "a release that is under way"
        )
    assert step(app := open_page("release", address)) == ReleaseStep.SHARE
    assert "no error bars: the program was stopped" in said(app)
    file.write_bytes(b"{}")
    assert "not a complete release" in said(app.run())
    assert step(app) == ReleaseStep.FILE, "where others are opened"
    file.unlink()
    assert "No topics of its releases are in the release folder" in said(
        at_release(open_page, epsilon="2.5")
    )
    (folder / "key").write_bytes(np.random.default_rng(0).bytes(32))
    assert "tampered with or damaged" in said(app.run())
    assert not any(button.key == Key.RELEASE_NOW for button in app.button)
