"""The command line reads what ``dplda.load`` reads, in the same ways."""

import pytest

from dplda.cli import main
from tests.corpus.readers.test_archives import COUNTS, CSV, TEXTS, WORDS, zipped

TABLE = b"who,body,n\nAnn,The A4 wolves,1\nbo,caf\xe9 deer,2\nann,wolves \x1b[31mdeer,3\n"


def said(capsys, *arguments) -> str:
    assert main.main(["read", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def test_read_command_counts_documents_files_words(tmp_path, capsys) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({**TEXTS, "x.png": b""}))
    out = said(capsys, path)
    assert "4 documents read, all of them kept" in out
    assert "1 file skipped: unknown format (4 read)" in out
    assert "5 words make the vocabulary" in out


BOX = "".join(
    f"From x\nFrom: {sender}\n\nwolves deer snow\n\n"
    for sender in ("ann at x.test (Ann)", "ann@x.test, bo@y.test", "bo@y.test", "Bo <bo@y.test>")
)


def test_reading_says_whose_documents_are_unclear(tmp_path, capsys) -> None:
    path = tmp_path / "in.mbox"
    path.write_text(BOX)
    out = said(capsys, path, "--person", "From")
    assert "1 document with several addresses as their author: only the first one counts" in out
    assert "2 persons wrote them" in out


@pytest.mark.parametrize("command", ["fit", "release"])
def test_command_says_what_was_not_read_as_usual(command, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("DPLDA_RELEASES", str(tmp_path / "releases"))
    path, words = tmp_path / "in.mbox", tmp_path / "words.txt"
    path.write_bytes(BOX.encode() + b"From x\nFrom: bo@y.test\n\nwolves caf\xe9\n\n")
    words.write_text("wolves\ndeer\nsnow\nriver\n")
    if command == "release":
        assert main.main(["ledger", "declare", "box", "--epsilon", "1"]) == 0
        names = ["--dataset", "box", "--title", "Box", "--epsilon", "0.5"]
        main.main(["release", str(path), *names, "--words", str(words), "--topics", "2"])
    else:
        out = str(tmp_path / "out.csv")
        main.main(
            [
                "fit",
                str(path),
                "--out",
                out,
                "--label",
                "public",
                "--words",
                str(words),
                "--topics",
                "2",
            ]
        )
    said_beside = capsys.readouterr().err
    assert (
        "dplda: 1 message with text in an unknown encoding: that text was left out" in said_beside
    )
    assert "(in.mbox, message 5)" in said_beside


def test_read_command_of_a_table_shows_its_columns_until_one_is_named(tmp_path, capsys) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(TABLE)
    assert main.main(["read", str(path)]) == 2
    assert "such as cp1252" in capsys.readouterr().err
    out = said(capsys, path, "--encoding", "cp1252")
    assert "who: Ann | bo | ann" in out
    assert "wolves ?[31mdeer" in out
    assert "--text NAME" in out
    out = said(capsys, path, "--encoding", "cp1252", "--text", "body", "--person", "who")
    assert "3 documents read" in out
    assert "2 persons wrote them" in out


@pytest.mark.parametrize(
    ("options", "n_words"),
    [
        ([], 3),
        (["--stop-words", "none"], 4),
        (["--keep-case", "--stop-words", "none"], 4),
        (["--pattern", r"\w\w\w\w\w+"], 1),
        (["--pattern", r"\w+"], 4),
        (["--pattern", r"\S+"], 4),
        (["--stop-words", "{words}"], 3),
    ],
)
def test_read_command_with_own_word_rules_reads_words_by_them(
    options, n_words, tmp_path, capsys
) -> None:
    (tmp_path / "a.csv").write_bytes(TABLE.replace(b"\x1b[31m", b""))
    (tmp_path / "words.txt").write_text("wolves\n")
    given_options = [option.format(words=tmp_path / "words.txt") for option in options]
    arguments = [
        "read",
        str(tmp_path / "a.csv"),
        "--encoding",
        "cp1252",
        "--text",
        "body",
        *given_options,
    ]
    if n_words == 1:
        assert main.main(arguments) == 2
        return
    assert main.main(arguments) == 0
    assert f"{n_words} words make the vocabulary" in capsys.readouterr().out


def test_read_of_counts_takes_their_word_list(tmp_path, capsys) -> None:
    (tmp_path / "counts.txt").write_bytes(COUNTS)
    (tmp_path / "listed.txt").write_bytes(WORDS)
    assert "3 documents" in said(
        capsys, tmp_path / "counts.txt", "--counted-words", tmp_path / "listed.txt"
    )


def test_read_of_two_texts_is_refused_as_too_few_documents(tmp_path, capsys) -> None:
    (tmp_path / "counts.txt").write_bytes(COUNTS)
    (tmp_path / "listed.txt").write_bytes(WORDS)
    assert main.main(["read", str(tmp_path), "--pattern", r"\w+"]) == 2
    assert "2 documents" in capsys.readouterr().err


def test_read_of_a_table_takes_a_word_list(tmp_path, capsys) -> None:
    (tmp_path / "vocabulary.txt").write_bytes(b"wolves\ndeer\nelk\n")
    (tmp_path / "mail.csv").write_bytes(CSV)
    assert "3 words make" in said(
        capsys, tmp_path / "mail.csv", "--words", tmp_path / "vocabulary.txt"
    )


def test_read_above_a_lowered_limit_is_refused(tmp_path, capsys) -> None:
    (tmp_path / "a.csv").write_bytes(CSV)
    assert main.main(["read", str(tmp_path / "a.csv"), "--max-documents", "2"]) == 2
    assert "more than 2 documents, the limit" in capsys.readouterr().err


def test_read_within_a_raised_limit_counts_documents(tmp_path, capsys) -> None:
    (tmp_path / "a.csv").write_bytes(CSV)
    assert "3 documents" in said(capsys, tmp_path / "a.csv", "--max-mb", "900")
