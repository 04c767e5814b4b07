"""Who talks about what, on the page: columns kept at upload, a price, one charge, a picture."""

from pathlib import Path

import numpy as np
import pytest

from dplda.release.ledger.folder import SHARES_SUFFIX, Folder
from dplda.release.ledger.ledger import Ledger
from dplda.ui.state.keys import Key
from dplda.ui.upload.form import VocabularyChoice
from tests.pages.conftest import said
from tests.pages.test_release import at_release, onward

WORDS = {"garden": ("seed", "soil", "rain", "leaf"), "kitchen": ("salt", "oven", "flour", "spoon")}
CANARY = "hiddencanary"  # the smallest group


class Released:
    """A session at its last step, and the folder of its releases.

    Attributes:
        folder: where tables are.
        app: the session; None before the first test that needs it.
        first_choice: the groups that were chosen at first.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.app = None
        self.first_choice = None

    @property
    def n_tables(self) -> int:
        """Number of released tables."""
        return len(list(self.folder.glob(f"*{SHARES_SUFFIX}")))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A release folder of the module; topics are released once, by the first test."""
    path = tmp_path_factory.mktemp("shares") / "releases"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("DPLDA_RELEASES", str(path))
        Ledger(Folder(path)).declare("mail", epsilon=9.0, delta=1e-6)
        yield Released(path)


@pytest.fixture
def released(open_page, place) -> Released:
    """The last step, of two tables that were read with two columns to group by; nothing is chosen."""
    if place.app is None:
        place.app = release_topics(open_page)
        place.first_choice = place.app.selectbox(key=Key.SHARES_BY).value
    place.app.selectbox(key=Key.SHARES_BY).set_value(None)
    place.app.selectbox(key=Key.SHARES_TIME).set_value(None).run()
    place.app.select_slider(key=Key.SHARES_EPSILON).set_value(0.3).run()
    return place


def letters(seed: int, garden_share: float) -> bytes:
    """The north writes of gardens; the south of kitchens, and ever less so."""
    generator = np.random.default_rng(seed)
    rows = ["text,part,day"]
    for number in range(1_000):
        part = ("north", "south")[number % 2] if number % 6 else CANARY
        month = number % 4 + 1
        share = garden_share * (0.8 if part == "north" else 0.1 * month)
        topic = WORDS["garden" if generator.random() < share else "kitchen"]
        rows.append(f"{' '.join(generator.choice(topic, 12))},{part},2024-{month:02}-15")
    return "\n".join(rows).encode()


def release_topics(open_page):
    """Choose two files to compare, read them, and release their topics."""
    query = {"k": "2", "alpha0": "1", "epsilon": "2", "configuration": "refined"}
    app = open_page("release", query)
    first_file = ("mail.csv", letters(0, 1.0), "text/csv")
    app.file_uploader(key=f"{Key.FILE}.0").set_value(first_file).run()
    second = ("praise.csv", letters(1, 0.2), "text/csv")
    app.file_uploader(key=f"{Key.FILE}.0.second").set_value(second).run()
    app.multiselect(key=f"{Key.GROUP_COLUMNS}.mail.csv").set_value(["part", "day"])
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
    app.segmented_control(key=Key.SHARES_LIST).set_value(True).run()
    return app.text_area(key=Key.SHARES_GROUPS).set_value(text).run()


def pay(released: Released) -> str:
    """Release the table that is chosen; the pictures on the page then."""
    n_before = released.n_tables
    released.app.button(key=Key.SHARES_NOW).click().run()
    assert not released.app.exception
    assert released.n_tables == n_before + 1
    return pictures(released.app)


def pictures(app) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def test_share_table_on_the_page_is_charged_once_after_its_price(released) -> None:
    app = choose_districts(released.app)
    assert "% of the budget of “mail”, permanently (ε = 0.3, δ = " in said(app)
    assert "tells two groups of" in said(app)
    drawn_picture = pay(released)
    assert "is a larger theme in" in drawn_picture
    assert "data:image/svg+xml" in drawn_picture
    assert "<svg" not in drawn_picture  # which the browser's filter would take out
    assert "This table is released" in said(app)
    n_tables = released.n_tables
    app.run()
    assert released.n_tables == n_tables


def test_labels_of_documents_are_never_on_the_page(released) -> None:
    app = choose_districts(released.app, "north\neast")
    drawn_picture = pay(released)
    assert CANARY not in said(app)
    assert CANARY not in drawn_picture


def test_groups_chosen_by_size_need_no_list(released) -> None:
    app = released.app
    app.selectbox(key=Key.SHARES_BY).set_value("part").run()
    app.segmented_control(key=Key.SHARES_LIST).set_value(False).run()
    app.number_input(key=Key.SHARES_N_GROUPS).set_value(2).run()
    assert "at most 2 groups by size" in said(app)
    drawn_picture = pay(released)
    assert "chosen by size, with noise" in drawn_picture
    assert CANARY not in drawn_picture


def test_share_table_by_file_needs_no_list_of_groups(released) -> None:
    assert released.first_choice == "file"
    app = released.app
    app.selectbox(key=Key.SHARES_BY).set_value("file").run()
    assert "Collections: mail and praise." in said(app)
    drawn_picture = pay(released)
    assert "By file" in [title.value for title in app.subheader]
    assert "praise" in drawn_picture


def test_column_of_times_without_them_is_not_left_out_silently(released) -> None:
    app = choose_districts(released.app, "north\nwest")
    app.selectbox(key=Key.SHARES_TIME).set_value("day").run()
    app.text_input(key=Key.SHARES_FROM).set_value("").run()
    assert "This table uses" not in said(app)
    assert "type its groups or the first and last time" in said(app)


def choose_times(app, first_time: str, last_time: str) -> None:
    app.selectbox(key=Key.SHARES_TIME).set_value("day").run()
    app.text_input(key=Key.SHARES_FROM).set_value(first_time).run()
    app.text_input(key=Key.SHARES_TO).set_value(last_time).run()


def test_table_over_time_says_what_grew(released) -> None:
    choose_times(released.app, "2024-01", "2024-04")
    released.app.select_slider(key=Key.SHARES_EPSILON).set_value(2.0).run()
    assert "from 2024-01 to 2024-04 in" in pay(released)


@pytest.mark.parametrize(
    ("first_time", "last_time", "message"),
    [("2024-05", "2024-01", "not before 2024-05-01"), ("May", "June", "such as 2024-03")],
)
def test_times_that_are_none_are_refused_in_place(released, first_time, last_time, message) -> None:
    choose_times(released.app, first_time, last_time)
    assert message in said(released.app)
    assert not released.app.exception


def test_documents_without_columns_to_group_by_say_where_to_choose_them(
    open_page, tmp_path, monkeypatch
) -> None:
    path = tmp_path / "releases"
    monkeypatch.setenv("DPLDA_RELEASES", str(path))
    Ledger(Folder(path)).declare("mail", epsilon=5.0, delta=1e-6)
    app = at_release(open_page)
    app.button(key=Key.RELEASE_NOW).click().run()
    assert "read without columns to group by" in said(app)
