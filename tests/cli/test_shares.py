"""``dplda shares``: from a released file and its documents to a table by group and month."""

from pathlib import Path

import numpy as np
import pytest

from dplda.cli.main import main
from dplda.release.ledger.folder import VARIABLE
from tests.few_runs import few_runs
from tests.seeded_noise import zero_noise

WORDS = {
    "garden": ["seed", "soil", "rain", "leaf", "root"],
    "kitchen": ["salt", "oven", "flour", "sugar", "spoon"],
}


def letters(path: Path, seed: int = 0, length: int = 12) -> Path:
    """Two thousand letters: the north writes of gardens, the south of kitchens, ever more so."""
    generator = np.random.default_rng(seed)
    rows = ["text,district,day"]
    for number in range(2_000):
        district = ("north", "south", "west")[number % 3]
        month = number % 4 + 1
        share = {"north": 0.7, "south": 0.15 + 0.05 * month, "west": 0.5}[district]
        topic = WORDS["garden" if generator.random() < share else "kitchen"]
        words = " ".join(generator.choice(topic, length))
        rows.append(f"{words},{district},2024-{month:02}-15")
    path.write_text("\n".join(rows))
    return path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory):
    """A folder with letters, their released topics, and lists of words and groups."""
    folder = tmp_path_factory.mktemp("shares")
    with few_runs(), zero_noise(), pytest.MonkeyPatch.context() as patched:
        patched.setenv(VARIABLE, str(folder / "releases"))
        patched.setenv("DPLDA_CACHE", str(folder / "cache"))
        letters(folder / "letters.csv")
        (folder / "words.txt").write_text("\n".join([*WORDS["garden"], *WORDS["kitchen"]]))
        (folder / "districts.txt").write_text("north\nsouth\n")
        assert main(["ledger", "declare", "mail", "--epsilon", "5", "--delta", "1e-5"]) == 0
        command = (
            f"release {folder}/letters.csv --dataset mail --title Letters --text text"
            f" --words {folder}/words.txt --topics 2 --epsilon 2 --out {folder}/topics.json --yes"
        )
        assert main(command.split()) == 0
        yield folder


def run(place: Path, options: str) -> int:
    return main(f"shares {place}/topics.json {place}/letters.csv --text text {options}".split())


def test_shares_without_consent_state_their_price_uncharged(place, capsys) -> None:
    options = f"--by district --groups {place}/districts.txt"
    assert run(place, options) == 1
    output = capsys.readouterr().out
    assert "% of the budget of “mail”, permanently (ε = 0.3, δ = 1e-7)" in output
    assert "tells two groups of" in output
    assert "Nothing was released or charged" in output


def test_shares_by_group_asked_again_are_free(place, capsys) -> None:
    options = (
        f"--by district --groups {place}/districts.txt --epsilon 1.5 --out {place}/table.json --yes"
    )
    assert run(place, options) == 0
    output = capsys.readouterr().out
    assert output.startswith("This table uses")
    assert "north, about" in output
    assert "is a larger theme in" in output
    assert "of 100 possible tables" in output
    assert "west" not in output
    assert (place / "table.json").exists()
    assert run(place, options) == 0
    assert "Showing it again costs nothing" in capsys.readouterr().out


def test_shares_choose_their_groups_by_size_where_asked(place, capsys) -> None:
    assert run(place, "--by district --select-groups 2 --epsilon 0.5 --yes") == 0
    printed = capsys.readouterr().out
    assert "It chooses at most 2 groups by size" in printed
    assert sum(f"{name}, about" in printed for name in ("north", "south", "west")) == 2


def test_shares_compare_the_files_of_a_folder(place, capsys) -> None:
    collection_folder = place / "both"
    collection_folder.mkdir()
    lines = letters(place / "others.csv", seed=1, length=40).read_text().splitlines()
    for district in ("north", "south"):
        lines_of_district = [lines[0], *(line for line in lines if f",{district}," in line)]
        (collection_folder / f"{district}.csv").write_text("\n".join(lines_of_district))
    options = f"--text text --words {place}/words.txt"
    command = (
        f"release {collection_folder} --dataset both --title Both {options} --topics 2 --epsilon 2"
        f" --out {place}/both.json --yes"
    )
    assert main(["ledger", "declare", "both", "--epsilon", "5", "--delta", "1e-5"]) == 0
    assert main(command.split()) == 0
    command = (
        f"shares {place}/both.json {collection_folder} --text text --by-file --epsilon 1 --yes"
    )
    assert main(command.split()) == 0
    printed = capsys.readouterr().out
    assert "north, about" in printed
    assert "south, about" in printed
    assert "is a larger theme in" in printed


def test_shares_by_month_cover_the_months_between_the_given_ones(place, capsys) -> None:
    options = "--by-month day --from 2024-01 --to 2024-04 --epsilon 1 --yes"
    assert run(place, options) == 0
    assert "2024-03, about" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "a column to group by"),
        ("--by district", "a file with the list of groups"),
        ("--by district --groups {place}/districts.txt --select-groups 3", "one of them"),
        ("--by district --select-groups 1", "number of groups"),
        ("--by-month day --from 2024 --to 2024 --select-groups 3", "left out without --by"),
        ("--by-file", "1 where 2 to 20 collections are compared"),
        ("--by ward --groups {place}/districts.txt", "no column has the name 'ward'"),
        ("--by-month day --from 2024-01", "--to must be a date"),
        ("--by-month day --from 2024-05 --to 2024-01", "not before 2024-05-01"),
        ("--by-month day --by-year day --from 2024 --to 2024", "one of them"),
        ("--from 2024-01", "left out without"),
        ("--by district --groups {place}/districts.txt --epsilon 7 --yes", "left"),
        ("--by district --groups {place}/districts.txt --words {place}/districts.txt", "left out"),
    ],
)
def test_shares_refuse_what_does_not_fit(place, capsys, options: str, message: str) -> None:
    assert run(place, options.format(place=place)) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "rain" not in error


def test_shares_refuse_topics_of_another_folder(place, capsys, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "other"))
    assert run(place, f"--by district --groups {place}/districts.txt") == 2
    assert "not released from this release folder" in capsys.readouterr().err


def test_ledger_verify_with_a_changed_table_of_shares_fails(place, capsys) -> None:
    assert run(place, "--by-month day --from 2024-01 --to 2024-04 --epsilon 1 --yes") == 0
    assert main(["ledger", "verify"]) == 0
    table = next((place / "releases").glob("*.shares.json"))
    content = table.read_text()
    table.write_text(content.replace('"noise_std": ', '"noise_std": 1'))
    assert main(["ledger", "verify"]) != 0
    table.write_text(content)
