"""Release, from a table of persons to a named report: one session, seen at each of its steps.

The tests stand in the order of the steps: each goes on from where the one before it stopped.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dplda.methods.base.prior_source import PriorKind
from dplda.release.artefact.released_file import SUFFIX, read_release
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.workflow.draft import ReleaseStep
from dplda.ui.release import rehearsal
from dplda.ui.state import link
from dplda.ui.state.keys import Key
from dplda.ui.upload.form import VocabularyChoice
from tests.pages.conftest import OpenPage, bring, said
from tests.pages.test_release import FILE, REPORT, WORDS, onward, step, table, uploaded


class Journey:
    """One session that releases a table.

    Attributes:
        folder: Where releases are; made by the first of them.
        files: Content of each file that the page offers to save, by name.
        open_page: Opens a page as a new visitor.
        app: The session.
        n_done: Number of actions that were taken.
        original_file: The released file with one name, before topics were merged.
        merged_file: The released file after they were.
        sessions: Two visitors who open the release: by its address, and by choosing it.
        opened_files: The released file that each of the two would save.
    """

    def __init__(self, folder: Path, files: dict[str, object]) -> None:
        self.folder = folder
        self.files = files
        self.open_page: OpenPage
        self.app: AppTest
        self.n_done = 0
        self.original_file: bytes
        self.merged_file: bytes
        self.sessions: list[AppTest] = []
        self.opened_files: list[object] = []

    def reach(self, action: Callable[["Journey"], None]) -> AppTest:
        """Take all actions up to this one that were not taken yet; the session after it."""
        while self.n_done <= ACTIONS.index(action):
            ACTIONS[self.n_done](self)
            self.n_done += 1
        return self.app

    def save(self, name: str) -> object:
        """What the button of this file would save now."""
        return self.files[name]()


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journey]:
    folder = tmp_path_factory.mktemp("journey") / "releases"
    files: dict[str, object] = {}
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("DPLDA_RELEASES", str(folder))
        patched.setattr(
            st,
            "download_button",
            lambda *_, data, file_name, **options: files.update({file_name: data}),
        )
        yield Journey(folder, files)


@pytest.fixture
def journey(session: Journey, open_page: OpenPage) -> Journey:
    session.open_page = open_page
    return session


def name_topic(app: AppTest, name: str) -> None:
    box = next(box for box in app.text_input if box.key.startswith(Key.RELEASE_NAME))
    box.set_value(name).run()


def choose_unit(app: AppTest, unit: str) -> None:
    radio = next(radio for radio in app.radio if radio.key.startswith(Key.RELEASE_UNIT))
    radio.set_value(unit).run()


def read_table(journey: Journey) -> None:
    journey.app = uploaded(journey.open_page, VocabularyChoice.LIST)
    journey.app.text_area(key=f"{Key.WORD_LIST}.0").set_value("\n".join(WORDS)).run()
    journey.app.button(key=Key.READ).click().run()
    onward(journey.app)


def protect_persons(journey: Journey) -> None:
    onward(journey.app)


def ask_for_seed_words(journey: Journey) -> None:
    app = journey.app
    name_box = next(box for box in app.text_input if box.key.startswith(Key.LEDGER_NAME))
    name_box.set_value("mail").run()
    app.button_group(key=f"{Key.KNOWLEDGE}.None").set_value(PriorKind.SEEDS).run()


def type_absent_seed_words(journey: Journey) -> None:
    journey.app.text_area(key=Key.SEEDS).set_value("nowhere: absent").run()


def type_seed_words(journey: Journey) -> None:
    journey.app.text_area(key=Key.SEEDS).set_value(f"a: {WORDS[0]}\nb: {WORDS[-2]}").run()


def rehearse_on_the_newspaper(journey: Journey) -> None:
    onward(journey.app)


def rehearse_on_a_public_file(journey: Journey) -> None:
    app = journey.app
    app.button_group(key=Key.RELEASE_TWIN).set_value(rehearsal.PUBLIC).run()
    public_file = ("open.csv", table(), "text/csv")
    app.file_uploader(key=f"{Key.RELEASE_PUBLIC}.file").set_value(public_file).run()
    app.selectbox(key=f"{Key.PERSON}.open.csv").set_value("From").run()


def go_back_to_the_file(journey: Journey) -> None:
    onward(journey.app)
    for _ in range(4):
        journey.app.button(key=Key.RELEASE_BACK).click().run()


def return_to_the_rehearsal(journey: Journey) -> None:
    for _ in range(3):
        onward(journey.app)


def reach_the_price(journey: Journey) -> None:
    onward(journey.app)


def release_topics(journey: Journey) -> None:
    journey.app.button(key=Key.RELEASE_NOW).click().run()


def name_the_first_topic(journey: Journey) -> None:
    name_topic(journey.app, "<b>Tea</b>")
    journey.original_file = journey.save(FILE)


def merge_topics(journey: Journey) -> None:
    app = journey.app
    boxes = (box for box in app.multiselect if box.label == "Topics to merge")
    next(boxes).set_value([(0,), (1,)]).run()
    app.button(key=Key.RELEASE_MERGE).click().run()


def name_the_merged_topic(journey: Journey) -> None:
    name_topic(journey.app, "All")
    journey.merged_file = journey.save(FILE)


def open_in_other_sessions(journey: Journey) -> None:
    kept_names = (link.CORPUS_KEY, Key.RELEASE_STEP, Key.RELEASE_OPENED)
    address = {name: journey.app.query_params[name] for name in kept_names}
    reloaded = journey.open_page("release", address)
    journey.opened_files.append(journey.save(FILE))
    with_unknown_release = journey.open_page("release", {Key.RELEASE_OPENED: "../key"})
    choice = with_unknown_release.selectbox(key=Key.RELEASE_OPENED)
    choice.set_value(address[Key.RELEASE_OPENED]).run()
    journey.opened_files.append(journey.save(FILE))
    journey.sessions = [reloaded, with_unknown_release]


def bring_the_documents_again(journey: Journey) -> None:
    for app in journey.sessions:
        bring(app, journey.app.session_state[Key.UPLOADED])


def predict_the_outlook(journey: Journey) -> None:
    journey.sessions[-1].button(key=f"{Key.RELEASE_OUTLOOK}.start").click().run()


def undo_the_arrangement(journey: Journey) -> None:
    journey.app.button(key=Key.RELEASE_AS_WAS).click().run()


def choose_another_unit(journey: Journey) -> None:
    journey.app.button_group(key=Key.RELEASE_STEPS).set_value(ReleaseStep.WHOM).run()
    choose_unit(journey.app, "document")
    onward(journey.app)


ACTIONS = (
    read_table,
    protect_persons,
    ask_for_seed_words,
    type_absent_seed_words,
    type_seed_words,
    rehearse_on_the_newspaper,
    rehearse_on_a_public_file,
    go_back_to_the_file,
    return_to_the_rehearsal,
    reach_the_price,
    release_topics,
    name_the_first_topic,
    merge_topics,
    name_the_merged_topic,
    open_in_other_sessions,
    bring_the_documents_again,
    predict_the_outlook,
    undo_the_arrangement,
    choose_another_unit,
)


def test_unit_step_of_a_table_with_authors_counts_persons(journey: Journey) -> None:
    app = journey.reach(read_table)
    unit = next(radio for radio in app.radio if radio.key.startswith(Key.RELEASE_UNIT))
    assert "1,000 persons" in str(unit.proto.captions)


def test_budget_step_without_a_name_does_not_go_on(journey: Journey) -> None:
    app = journey.reach(protect_persons)
    assert app.button(key=Key.RELEASE_NEXT).disabled


def test_budget_step_without_a_seed_word_does_not_go_on(journey: Journey) -> None:
    app = journey.reach(ask_for_seed_words)
    assert app.button(key=Key.RELEASE_NEXT).disabled


def test_seed_words_off_the_word_list_are_refused(journey: Journey) -> None:
    assert "words on the word list" in said(journey.reach(type_absent_seed_words))


def test_budget_step_with_seed_words_states_the_price(journey: Journey) -> None:
    app = journey.reach(type_seed_words)
    assert "This uses 25% of the budget of “mail”, permanently (ε = 2," in said(app)


def test_budget_step_before_the_release_declares_nothing(journey: Journey) -> None:
    journey.reach(type_seed_words)
    assert not journey.folder.exists()


def test_rehearsal_on_the_newspaper_predicts_its_themes(journey: Journey) -> None:
    app = journey.reach(rehearse_on_the_newspaper)
    assert "Of 2 themes in an invented newspaper you would find " in said(app)


def test_rehearsal_on_a_public_file_predicts_its_topics(journey: Journey) -> None:
    assert "On a public file, topics are " in said(journey.reach(rehearse_on_a_public_file))


def test_back_four_times_leads_to_the_file_step(journey: Journey) -> None:
    assert step(journey.reach(go_back_to_the_file)) == ReleaseStep.FILE


def test_rehearsal_after_going_back_is_kept(journey: Journey) -> None:
    text = said(journey.reach(return_to_the_rehearsal))
    assert "In use: **open.csv**" in text
    assert "On a public file, topics are " in text


def test_price_step_of_persons_states_their_protection(journey: Journey) -> None:
    app = journey.reach(reach_the_price)
    assert "Each person is protected with everything they wrote" in said(app)


def test_price_step_before_the_release_declares_nothing(journey: Journey) -> None:
    journey.reach(reach_the_price)
    assert not journey.folder.exists()


def test_release_button_leads_to_the_share_step(journey: Journey) -> None:
    app = journey.reach(release_topics)
    assert step(app) == ReleaseStep.SHARE
    assert app.query_params[Key.RELEASE_STEP] == "share"


def test_report_of_a_release_names_its_seed_words(journey: Journey) -> None:
    journey.reach(name_the_first_topic)
    report = journey.save(REPORT)
    assert "table “seed words” (SHA-256" in report
    assert "Before you read on" not in report


def test_report_with_markup_in_a_name_shows_it_as_text(journey: Journey) -> None:
    journey.reach(name_the_first_topic)
    assert "&lt;b&gt;Tea&lt;/b&gt;" in journey.save(REPORT)


def test_saved_file_with_a_name_is_the_kept_one(journey: Journey) -> None:
    journey.reach(name_the_first_topic)
    assert read_release(journey.original_file, "a file").names[0] == "<b>Tea</b>"
    assert journey.original_file == next(journey.folder.glob(f"*{SUFFIX}")).read_bytes()


def test_merged_topics_become_one_card(journey: Journey) -> None:
    app = journey.reach(merge_topics)
    assert "2 of them are merged into 1 topic" in said(app)
    assert journey.save(REPORT).count('class="card"') == 1


def test_merged_topic_that_is_named_keeps_its_name_in_the_file(journey: Journey) -> None:
    journey.reach(name_the_merged_topic)
    assert read_release(journey.merged_file, "a file").names[0] == "All"


def test_release_opened_in_another_session_shows_its_arrangement(journey: Journey) -> None:
    journey.reach(open_in_other_sessions)
    for app in journey.sessions:
        assert step(app) == ReleaseStep.SHARE
        assert "2 of them are merged into 1 topic" in said(app)
    assert journey.opened_files == [journey.merged_file] * 2


def test_release_opened_without_its_documents_says_so(journey: Journey) -> None:
    journey.reach(open_in_other_sessions)
    for app in journey.sessions:
        assert "it was made of other documents" in said(app)


def test_release_opened_with_its_documents_is_continued_with_the_seed_words(
    journey: Journey,
) -> None:
    journey.reach(bring_the_documents_again)
    for app in journey.sessions:
        assert not app.button(key=Key.RELEASE_ADD).disabled


def test_outlook_of_an_opened_release_predicts_more_epsilon(journey: Journey) -> None:
    journey.reach(predict_the_outlook)
    text = said(journey.sessions[-1])
    assert "With ε = 4 for topics, " in text
    assert "*Paler words* lead" in text


def test_arrangement_that_is_undone_leaves_the_file_as_it_was(journey: Journey) -> None:
    journey.reach(undo_the_arrangement)
    assert journey.save(FILE) == journey.original_file


def test_share_step_states_what_is_left_for_one_more_release(journey: Journey) -> None:
    assert "% of the budget is left (ε = 3." in said(journey.reach(undo_the_arrangement))


def test_ledger_after_the_release_protects_persons(journey: Journey) -> None:
    journey.reach(undo_the_arrangement)
    assert Ledger(Folder(journey.folder)).protects("mail") == "person"


def test_budget_step_with_another_unit_than_the_dataset_is_refused(journey: Journey) -> None:
    app = journey.reach(choose_another_unit)
    refusal = "These documents belong to “mail”. It does not protect each document. Change step 2"
    assert refusal in said(app)
    assert "permanently" not in said(app)
    assert app.button(key=Key.RELEASE_NEXT).disabled


def test_refused_unit_leaves_no_budget_behind(journey: Journey) -> None:
    journey.reach(choose_another_unit)
    assert Ledger(Folder(journey.folder)).datasets() == ("mail",)
