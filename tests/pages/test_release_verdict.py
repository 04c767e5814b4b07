"""Release: the verdict beside the price, what would improve it, and a release against it."""

import json
import re
from pathlib import Path

import pytest

from dplda.methods.base.prior_source import PriorKind
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from dplda.ui.release import twin_rehearsal
from dplda.ui.release.verdict_view import VERDICT_HELP
from dplda.ui.state.keys import Key
from dplda.ui.upload.form import VocabularyChoice
from tests.pages.conftest import said
from tests.pages.test_release import folder, onward, step, table, uploaded  # noqa: F401

HUNDREDS = {"v": "3", "corpus": "simulated_300_200_3_1_40_poisson_0.1_0", "k": "3", "alpha0": "1"}
HUNDREDS |= {"configuration": "refined", "epsilon": "0.5", Key.RELEASE_STEP: "budget"}


def remedies(app) -> dict[str, object]:
    """Buttons of remedies by their labels."""
    return {
        button.label: button for button in app.button if button.key.startswith(Key.RELEASE_VERDICT)
    }


def to_release(app) -> None:
    name = next(name_box for name_box in app.text_input if name_box.key.startswith(Key.LEDGER_NAME))
    name.set_value("notes").run()
    onward(app)
    onward(app)


def test_verdict_stands_at_the_budget(open_page, folder) -> None:  # noqa: F811
    app = open_page("release", HUNDREDS)
    assert "**Expect nothing readable**" in said(app)
    assert "300 documents, a list of 200 words, 3 topics, ε = 0.5" in said(app)


def test_verdict_for_more_documents_is_readable(open_page, folder) -> None:  # noqa: F811
    many_documents = HUNDREDS | {
        "corpus": "simulated_20000_200_3_1_40_poisson_0.1_0",
        "epsilon": "3",
    }
    app = open_page("release", many_documents)
    assert "**Expect readable topics**" in said(app)
    assert not remedies(app)


def test_remedy_of_larger_epsilon_sets_epsilon_by_a_click(open_page, folder) -> None:  # noqa: F811
    app = open_page("release", HUNDREDS)
    label, button = next(
        (label, candidate) for label, candidate in remedies(app).items() if label.startswith("ε = ")
    )
    button.click().run()
    assert f"{app.session_state[Key.EPSILON]:g}" == label.removeprefix("ε = ").split(":")[0]
    assert "**Expect nothing readable**" not in said(app)


def test_remedy_beyond_the_total_of_a_new_budget_raises_it_by_the_same_click(
    open_page,
    folder,  # noqa: F811
) -> None:
    app = open_page("release", HUNDREDS)
    app.number_input(key=Key.LEDGER_EPSILON).set_value(0.6).run()
    name = next(name_box for name_box in app.text_input if name_box.key.startswith(Key.LEDGER_NAME))
    name.set_value("notes").run()
    label, button = next(
        (label, candidate) for label, candidate in remedies(app).items() if label.startswith("ε = ")
    )
    assert " and a total of " in label
    button.click().run()
    total = float(label.split(" and a total of ")[1].split(":")[0])
    assert app.number_input(key=Key.LEDGER_EPSILON).value == total
    assert "has less left" not in said(app)
    assert not app.button(key=Key.RELEASE_NEXT).disabled


def test_release_against_the_verdict_has_to_be_confirmed(open_page, folder) -> None:  # noqa: F811
    app = open_page("release", HUNDREDS)
    to_release(app)
    button = app.button(key=Key.RELEASE_NOW)
    assert button.label == "Release anyway"
    assert button.disabled
    assert not folder.exists()
    app.checkbox(key=Key.RELEASE_ANYWAY).check().run()
    app.button(key=Key.RELEASE_NOW).click().run()
    assert Ledger(Folder(folder)).datasets() == ("notes",)


def test_column_that_names_a_person_is_chosen_for_sensitive_documents(open_page, folder) -> None:  # noqa: F811
    app = open_page("release", {})
    app.file_uploader(key=f"{Key.FILE}.0").set_value(("mail.csv", table(), "text/csv")).run()
    person = f"{Key.PERSON}.mail.csv"
    assert app.selectbox(key=person).value is None
    app.radio(key=f"{Key.LABEL}.0").set_value("sensitive").run()
    assert app.selectbox(key=person).value == "From"
    app.selectbox(key=person).set_value(None).run()
    assert app.selectbox(key=person).value is None, "it can be taken back"


def test_rehearsal_counts_the_themes_of_a_newspaper_of_the_same_size(open_page, folder) -> None:  # noqa: F811
    many_documents = HUNDREDS | {
        "corpus": "simulated_20000_200_3_1_40_poisson_0.1_0",
        "epsilon": "3",
    }
    app = open_page("release", many_documents)
    name = next(name_box for name_box in app.text_input if name_box.key.startswith(Key.LEDGER_NAME))
    name.set_value("notes").run()
    onward(app)
    assert "Of 3 themes in an invented newspaper you would find 3" in said(app)
    themes_table = " ".join(element.proto.body for element in app.get("html"))
    for theme in ("Weather", "Football", "Court"):
        assert f"✓ {theme}<" in themes_table


def test_rehearsal_with_seed_words_takes_as_many_of_the_sections(open_page, folder) -> None:  # noqa: F811
    app = open_page("release", HUNDREDS | {"epsilon": "3"})
    app.button_group(key=f"{Key.KNOWLEDGE}.None").set_value(PriorKind.SEEDS).run()
    app.text_area(key=Key.SEEDS).set_value("a: w0001, w0002").run()
    name = next(name_box for name_box in app.text_input if name_box.key.startswith(Key.LEDGER_NAME))
    name.set_value("notes").run()
    onward(app)
    assert "Your seed words are not the newspaper's" in said(app)
    assert "Of 3 themes in an invented newspaper you would find" in said(app)


def test_first_visit_starts_at_epsilon_one(open_page, folder) -> None:  # noqa: F811
    app = open_page("release", {})
    assert app.session_state[Key.EPSILON] == 1


def test_link_without_epsilon_keeps_the_epsilon_it_was_made_with(open_page, folder) -> None:  # noqa: F811
    app = open_page("release", {"v": "3", "k": "4"})
    assert app.session_state[Key.EPSILON] == 3


def test_words_picked_with_noise_are_as_many_as_suit_the_numbers(open_page, folder) -> None:  # noqa: F811
    app = uploaded(open_page, VocabularyChoice.ENGLISH)
    app.button(key=Key.READ).click().run()
    onward(app)
    assert step(app) == 2
    assert "At ε = 2: " in str(
        next(
            number_box for number_box in app.radio if number_box.key.startswith(Key.RELEASE_UNIT)
        ).proto.captions
    )
    onward(app)
    words = next(
        number_box
        for number_box in app.number_input
        if number_box.key.startswith(Key.RELEASE_WORDS)
    )
    assert 100 <= words.value < 3000
    words.set_value(120).run()
    assert "a list of 120 words" in said(app)


def test_several_tables_are_read_as_one_whose_own_topics_are_foretold(open_page, folder) -> None:  # noqa: F811
    app = open_page("release", HUNDREDS)
    app.button_group(key=f"{Key.KNOWLEDGE}.None").set_value(PriorKind.FILE).run()
    first_table = ("one.csv", b"word,1,2,3\nw0,8,1,1\nw1,1,8,1\n", "text/csv")
    second_table = ("other.csv", b"word,1,2,3\nw1,1,1,4\nw2,4,1,1\n", "text/csv")
    app.file_uploader(key=f"{Key.TABLE}.file").set_value([first_table, second_table]).run()
    assert "may have no effect: w0, w1, w2" in said(app)
    assert "These would be the table's own topics" in said(app)


@pytest.mark.parametrize(
    ("n_documents", "epsilon", "n_found", "sentence"),
    [
        (600, "1", 1, "The verdict above is the safer guess"),
        (1000, "1", 1, ""),
        (1500, "1", 2, "The verdict above is the safer guess"),
    ],
)
def test_rehearsal_that_differs_from_the_verdict_says_which_to_believe(
    open_page,
    folder,  # noqa: F811
    n_documents,
    epsilon,
    n_found,
    sentence,
) -> None:
    documents = f"simulated_{n_documents}_200_3_1_40_poisson_0.1_0"
    app = open_page("release", HUNDREDS | {"corpus": documents, "epsilon": epsilon})
    name = next(name_box for name_box in app.text_input if name_box.key.startswith(Key.LEDGER_NAME))
    name.set_value("notes").run()
    onward(app)
    text = said(app)
    assert f"you would find {n_found}" in text
    assert sentence in text
    assert text.count("The verdict above is") == bool(sentence)


def test_rehearsal_with_seed_words_that_differs_names_public_knowledge(
    open_page,
    folder,  # noqa: F811
    monkeypatch,
) -> None:
    monkeypatch.setattr(twin_rehearsal, "find_themes", lambda *_: (True, True, True))
    app = open_page("release", HUNDREDS)
    app.button_group(key=f"{Key.KNOWLEDGE}.None").set_value(PriorKind.SEEDS).run()
    app.text_area(key=Key.SEEDS).set_value("a: w0001, w0002").run()
    name = next(name_box for name_box in app.text_input if name_box.key.startswith(Key.LEDGER_NAME))
    name.set_value("notes").run()
    onward(app)
    assert "These would be the table's own topics" in said(app)
    assert "public knowledge fits this newspaper's words better" in said(app)


def test_rehearsal_that_finds_less_than_the_verdict_says_to_believe_the_verdict(
    open_page,
    folder,  # noqa: F811
    monkeypatch,
) -> None:
    monkeypatch.setattr(twin_rehearsal, "find_themes", lambda *_: (True, False, False))
    documents = "simulated_20000_200_3_1_40_poisson_0.1_0"
    app = open_page("release", HUNDREDS | {"corpus": documents, "epsilon": "3"})
    name = next(name_box for name_box in app.text_input if name_box.key.startswith(Key.LEDGER_NAME))
    name.set_value("notes").run()
    onward(app)
    assert "**Expect readable topics**" in said(app)
    assert "you would find 1" in said(app)
    assert "The verdict above is the better guess" in said(app)


def test_help_of_the_verdict_states_what_the_benchmark_counted() -> None:
    results = Path(__file__).parents[2] / "benchmarks" / "results" / "verdict.json"
    rows = json.loads(results.read_text("utf-8"))["rows"]
    row_of = {row["kind"]: row for row in rows if row["table"] == "none"}
    every_case = row_of["twins and corpora"]
    counted_times = [
        *(int(every_case[f"{word} is right, %"]) for word in ("readable", "nothing")),
        int(row_of["twins, persons"]["readable is right, %"]),
        int(row_of["all corpora"]["readable is right, %"]),
    ]
    stated_times = [int(number) for number in re.findall(r"(\d+) times", VERDICT_HELP)]
    assert f"In {every_case['cases']} tests" in VERDICT_HELP
    assert stated_times == counted_times
