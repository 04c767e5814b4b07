"""Two collections read as one: each document has its file, or folder, as a label."""

import io
import zipfile
from pathlib import Path

import pytest

import dplda
from dplda.core.errors import ReadError

COMPLAINTS = b"text,day\nbill wrong again,2024\nbill late again,2024\n"
PRAISE = b"text,day\nkind people,2023\nvery kind people,2024\nkind again,2024\n"
EXPECTED = ["complaints"] * 2 + ["praise"] * 3


def zipped(members: dict[str, bytes]) -> tuple[str, io.BytesIO]:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    content.seek(0)
    return "both.zip", content


def read(source, **options) -> dplda.Corpus:
    return dplda.load(source, label="sensitive", text="text", **options)


def test_documents_of_two_files_have_these_as_labels() -> None:
    files = [("complaints.csv", io.BytesIO(COMPLAINTS)), ("praise.csv", io.BytesIO(PRAISE))]
    assert read(files, by_file=True).labels_in("file") == EXPECTED


@pytest.mark.parametrize("within", ["", "letters/", "letters/2024/"])
def test_documents_of_an_archive_have_its_files_as_labels(within: str) -> None:
    members = {f"{within}complaints.csv": COMPLAINTS, f"{within}praise.csv": PRAISE}
    assert read(zipped(members), by_file=True).labels_in("file") == EXPECTED


def test_documents_of_a_folder_have_the_folders_in_it_as_labels(tmp_path: Path) -> None:
    for name, content in (("complaints", COMPLAINTS), ("praise", PRAISE)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "all.csv").write_bytes(content)
    assert read(tmp_path, by_file=True).labels_in("file") == EXPECTED


def test_endings_stay_where_names_would_be_one() -> None:
    members = {"mail.csv": COMPLAINTS, "mail.tsv": PRAISE.replace(b",", b"\t")}
    corpus = read(zipped(members), by_file=True)
    assert set(corpus.labels_in("file")) == {"mail.csv", "mail.tsv"}


def test_files_as_groups_keep_other_labels_beside_them() -> None:
    members = {"complaints.csv": COMPLAINTS, "praise.csv": PRAISE}
    corpus = read(zipped(members), groups=["day"], by_file=True)
    assert [column.is_of_files for column in corpus.group_columns] == [False, True]
    assert corpus.labels_in("day")[:3] == ["2024", "2024", "2023"]


def test_file_without_documents_is_on_the_list_all_the_same() -> None:
    members = {"complaints.csv": COMPLAINTS, "empty.csv": b"text,day\n", "praise.csv": PRAISE}
    (column,) = read(zipped(members), by_file=True).group_columns
    assert column.values == ("complaints", "empty", "praise")


@pytest.mark.parametrize("n_files", [1, 21])
def test_collections_fewer_than_two_or_above_twenty_are_refused(n_files: int) -> None:
    members = {f"letters {number}.csv": COMPLAINTS for number in range(n_files)}
    with pytest.raises(ReadError, match=f"{n_files} where 2 to 20 collections"):
        read(zipped(members), by_file=True)


def test_labels_of_files_do_not_change_the_documents() -> None:
    members = {"complaints.csv": COMPLAINTS, "praise.csv": PRAISE}
    assert read(zipped(members)).digest == read(zipped(members), by_file=True).digest
