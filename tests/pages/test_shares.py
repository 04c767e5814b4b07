"""Who talks about what, on the page: columns kept at upload, a price, one charge, a picture."""

import numpy as np
import pytest

from dplda.release.ledger.folder import SHARES_SUFFIX, Folder
from dplda.release.ledger.ledger import Ledger
from dplda.ui.state.keys import Key
from dplda.ui.upload.form import VocabularyChoice
from tests.pages.conftest import said
from tests.pages.test_release import at_release, onward

WORDS = {"garden": ("seed", "soil", "rain", "leaf"), "kitchen": ("salt", "oven", "flour", "spoon")}
DISTRICTS = ("north", "south", "hiddencanary")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    path = tmp_path / "releases"
    monkeypatch.setenv("DPLDA_RELEASES", str(path))
    Ledger(Folder(path)).declare("mail", epsilon=5.0, delta=1e-6)
    return path


def table() -> bytes:
    """The north writes of gardens; the south of kitchens, and ever less so."""
    generator = np.random.default_rng(0)
    rows = ["text,part,day"]
    for number in range(2_000):
        part = DISTRICTS[number % 3 if number % 30 else 2]
        month = number % 4 + 1
        share = 0.8 if part == "north" else 0.1 * month
        topic = WORDS["garden" if generator.random() < share else "kitchen"]
        rows.append(f"{' '.join(generator.choice(topic, 12))},{part},2024-{month:02}-15")
    return "\n".join(rows).encode()


@pytest.fixture
def chosen(open_page, folder):
    """A file that is chosen and not read yet."""
    query = {"k": "2", "alpha0": "1", "epsilon": "2", "configuration": "refined"}
    app = open_page("release", query)
    return app.file_uploader(key=f"{Key.FILE}.0").set_value(("mail.csv", table(), "text/csv")).run()


@pytest.fixture
def released(chosen):
    """The last step, of a table that was read with two columns to group by."""
    chosen.multiselect(key=f"{Key.GROUP_COLUMNS}.mail.csv").set_value(["part", "day"])
    return release_topics(chosen)


def release_topics(app):
    """Read what is chosen, and release its topics."""
    app.radio(key=f"{Key.LABEL}.0").set_value("sensitive").run()
    app.selectbox(key=f"{Key.VOCABULARY}.sensitive").set_value(VocabularyChoice.LIST).run()
    words = "\n".join([*WORDS["garden"], *WORDS["kitchen"]])
    app.text_area(key=f"{Key.WORD_LIST}.0").set_value(words).run()
    app.button(key=Key.READ).click().run()
    onward(app)
    onward(app)
    for box in app.selectbox:
        if box.key.startswith(Key.RELEASE_DATASET) and not box.value:
            box.set_value("mail").run()
    onward(app)
    onward(app)
    app.button(key=Key.RELEASE_NOW).click().run()
    assert not app.exception
    return app


def choose_districts(app, text: str = "north\nsouth"):
    app.selectbox(key=Key.SHARES_BY).set_value("part").run()
    return app.text_area(key=Key.SHARES_GROUPS).set_value(text).run()


def tables_in(folder) -> list[str]:
    return sorted(path.name for path in folder.glob(f"*{SHARES_SUFFIX}"))


def pictures(app) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def test_table_by_group_is_priced_then_charged_once_and_drawn(released, folder) -> None:
    app = choose_districts(released)
    assert "% of the budget of “mail”, permanently (ε = 0.3)" in said(app)
    assert "tells two groups of" in said(app)
    assert tables_in(folder) == []
    app.button(key=Key.SHARES_NOW).click().run()
    assert not app.exception
    assert len(tables_in(folder)) == 1
    assert "is a larger theme in" in pictures(app)
    assert "data:image/svg+xml" in pictures(app)
    assert "<svg" not in pictures(app)  # which the browser's filter would take out
    assert "This table is released" in said(app)
    app.run()
    assert len(tables_in(folder)) == 1


def test_labels_of_documents_are_never_on_the_page(released) -> None:
    app = choose_districts(released)
    app.button(key=Key.SHARES_NOW).click().run()
    assert "hiddencanary" not in said(app)
    assert "hiddencanary" not in pictures(app)


def test_groups_chosen_by_size_need_no_list(released, folder) -> None:
    app = released
    app.selectbox(key=Key.SHARES_BY).set_value("part").run()
    app.segmented_control(key=Key.SHARES_LIST).set_value(False).run()
    app.number_input(key=Key.SHARES_N_GROUPS).set_value(3).run()
    assert "at most 3 groups by size" in said(app)
    app.button(key=Key.SHARES_NOW).click().run()
    assert not app.exception
    assert len(tables_in(folder)) == 1
    assert "chosen by size, with noise" in pictures(app)
    assert "south" in pictures(app)


def test_two_files_are_two_groups_without_a_list(chosen, folder) -> None:
    second = ("praise.csv", table().replace(b"seed", b"spoon"), "text/csv")
    chosen.file_uploader(key=f"{Key.FILE}.0.second").set_value(second).run()
    app = release_topics(chosen)
    assert app.selectbox(key=Key.SHARES_BY).value == "file"
    assert "Collections: mail and praise." in said(app)
    app.button(key=Key.SHARES_NOW).click().run()
    assert not app.exception
    assert len(tables_in(folder)) == 1
    assert "in praise than in mail in" in pictures(app)


def test_column_of_times_without_them_is_not_left_out_silently(released, folder) -> None:
    app = choose_districts(released)
    app.selectbox(key=Key.SHARES_TIME).set_value("day").run()
    assert "This table uses" not in said(app)
    assert "type its groups or the first and last time" in said(app)


def test_table_over_time_says_what_grew(released, folder) -> None:
    app = released
    app.selectbox(key=Key.SHARES_TIME).set_value("day").run()
    app.text_input(key=Key.SHARES_FROM).set_value("2024-01").run()
    app.text_input(key=Key.SHARES_TO).set_value("2024-04").run()
    app.select_slider(key=Key.SHARES_EPSILON).set_value(1.0).run()
    app.button(key=Key.SHARES_NOW).click().run()
    assert len(tables_in(folder)) == 1
    assert "from 2024-01 to 2024-04 in" in pictures(app)


@pytest.mark.parametrize(
    ("first", "last", "message"),
    [("2024-05", "2024-01", "not before 2024-05-01"), ("May", "June", "such as 2024-03")],
)
def test_times_that_are_none_are_refused_in_place(released, first, last, message) -> None:
    app = released
    app.selectbox(key=Key.SHARES_TIME).set_value("day").run()
    app.text_input(key=Key.SHARES_FROM).set_value(first).run()
    app.text_input(key=Key.SHARES_TO).set_value(last).run()
    assert message in said(app)
    assert not app.exception


def test_documents_without_columns_to_group_by_say_where_to_choose_them(open_page, folder) -> None:
    app = at_release(open_page)
    app.button(key=Key.RELEASE_NOW).click().run()
    assert "read without columns to group by" in said(app)
