"""A console may lack letters, be full, closed or gone: no command fails for what it prints."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dplda.cli import main
from dplda.cli.console import in_letters_of, one_line

ROOT = Path(__file__).resolve().parents[2]
CONSOLES = ["ascii", "cp1252", "latin-1"]
COMMANDS = (
    ["--help"],
    ["--version"],
    [],
    ["nothing ε"],
    *([command, "--help"] for command in main.COMMANDS),
    ["ledger", "declare", "mail", "--epsilon", "3"],
    ["ledger", "lower", "mail", "--epsilon", "2"],
    ["ledger", "show"],
    ["ledger", "show", "mail"],
    ["ledger", "show", "ε"],
    ["ledger", "verify"],
    ["ledger", "backup", "copy"],
    ["read", "documents.txt"],
    ["read", "ε.txt"],
    ["fit", "documents.txt", "--label", "public", "-k", "2", "--out", "t.json"],
    ["fit", "documents.txt", "--label", "public", "--epsilon", "1", "--out", "t.json"],
    [
        *("release", "documents.txt", "--dataset", "mail", "--title", "Ελλάδα", "--words"),
        *("words.txt", "--method", "private-unigram", "-k", "2", "--epsilon", "1.5"),
    ],
)


class Console:
    """Both standard streams of a console with an encoding; ``errors`` as Python sets them."""

    def __init__(self, encoding: str) -> None:
        self.output, self.errors = (
            io.TextIOWrapper(io.BytesIO(), encoding, errors="strict", write_through=True)
            for _ in range(2)
        )

    def text(self) -> str:
        return "".join(
            stream.buffer.getvalue().decode(stream.encoding)
            for stream in (self.output, self.errors)
        )


def fill(folder: Path) -> None:
    """Documents, a word list, and no ledger."""
    words = ("tea", "milk", "sugar", "rain", "wind", "größe")
    lines = [" ".join(words[i % 3 :] * 4) for i in range(40)]
    (folder / "documents.txt").write_text("\n".join(lines) + "\n")
    (folder / "words.txt").write_text("\n".join(words) + "\n")


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    fill(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DPLDA_RELEASES", str(tmp_path / "releases"))
    return tmp_path


def answers(folder: Path, encoding: str) -> list[tuple[int, str]]:
    """Status and text of every command on a console with an encoding, with a new ledger."""
    fill(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("DPLDA_RELEASES", str(folder / "releases"))
        raw_answers = [_status_and_text(command, encoding, patch) for command in COMMANDS]
    return [(status, re.sub(r"\d{4}-\d\d-\d\dT\S+", "when", text)) for status, text in raw_answers]


@pytest.fixture(scope="module")
def answers_in_utf_8(tmp_path_factory) -> list[tuple[int, str]]:
    return answers(tmp_path_factory.mktemp("utf_8"), "utf-8")


@pytest.mark.parametrize("encoding", CONSOLES)
def test_commands_on_a_console_without_greek_say_what_they_say_elsewhere(
    encoding, tmp_path, answers_in_utf_8
) -> None:
    answers_here = answers(tmp_path, encoding)
    for command, answer_here, (status, text) in zip(
        COMMANDS, answers_here, answers_in_utf_8, strict=True
    ):
        assert answer_here == (status, in_letters_of(encoding, text)), command
        assert text


def test_epsilon_is_spelled_where_a_console_lacks_it(folder, monkeypatch) -> None:
    declare = ["ledger", "declare", "mail", "--epsilon", "3"]
    status, text = _status_and_text(declare, "ascii", monkeypatch)
    assert status == 0
    assert "mail: epsilon = 3 at delta = 1e-6 left for one more release." in text


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("ε = 1, δ = 2, μ², σ", "epsilon = 1, delta = 2, mu^2, sigma"),
        ("“tea” – Größe…", '"tea" - Grosse...'),
        ("½ 茶 😀 \udcff \x1b", "? ? ? ? \x1b"),
        ("ε ≤ 3 × 10⁻⁵", "epsilon <= 3 x 10^-5"),
    ],
)
def test_letters_are_spelled_in_ascii(text, spelled) -> None:
    assert in_letters_of("ascii", text) == spelled


def test_half_a_letter_is_replaced_in_utf_8() -> None:
    assert in_letters_of("utf-8", "ε \udcff") == "ε ?"


def test_messages_are_one_line_of_words_that_end() -> None:
    assert one_line("a\nb \x1b[31m") == "a?b ?[31m"
    assert len(one_line(f"{'x' * 10_000}.")) < 200
    assert one_line(f"{'x' * 10_000}.").endswith("….")


class FullStream(io.StringIO):
    """A disk that is full, or a reader who has gone."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error = error

    def write(self, text: str) -> int:
        raise self.error


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_declaring_is_done_although_nobody_reads_its_message(stream, folder, monkeypatch) -> None:
    monkeypatch.setattr(sys, stream, FullStream(BrokenPipeError()))
    assert main.main(["ledger", "declare", "mail", "--epsilon", "3"]) == 0
    monkeypatch.undo()
    monkeypatch.setenv("DPLDA_RELEASES", str(folder / "releases"))
    assert main.main(["ledger", "show", "mail"]) == 0


def test_command_on_a_full_output_reports_it_after_the_work(folder, monkeypatch, capsys) -> None:
    full = OSError(28, "No space left on device")
    monkeypatch.setattr(sys, "stdout", FullStream(full))
    assert main.main(["ledger", "declare", "mail", "--epsilon", "3"]) == 2
    error_text = capsys.readouterr().err
    assert error_text == (
        "dplda: The command ended, but what it printed did not all arrive: No space left on device.\n"
    )
    monkeypatch.undo()
    monkeypatch.setenv("DPLDA_RELEASES", str(folder / "releases"))
    assert main.main(["ledger", "show", "mail"]) == 0


def test_streams_are_put_back_when_a_command_ends(folder, monkeypatch) -> None:
    streams_before = sys.stdout, sys.stderr
    main.main(["ledger", "show"])
    assert (sys.stdout, sys.stderr) == streams_before


@pytest.mark.parametrize("redirected", ["<&- >&- 2>&-", "2>&1 | true"])
def test_declaring_ends_well_with_streams_that_are_closed(redirected, folder, capsys) -> None:
    script = (
        f'set -o pipefail; "{sys.executable}" -m dplda ledger declare mail --epsilon 3 {redirected}'
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = ["bash", "-c", script]
    assert subprocess.run(command, cwd=folder, env=environment, check=False).returncode == 0
    assert main.main(["ledger", "verify"]) == 0
    assert main.main(["ledger", "show", "mail"]) == 0
    assert "mail: ε = 3" in capsys.readouterr().out


def test_descriptors_that_were_closed_are_not_given_to_files(tmp_path) -> None:
    """Else what a library writes as an error could land in the ledger."""
    script = (
        "import os; from dplda.cli.console import forgiving_streams\n"
        "with forgiving_streams(): number = os.open('file', os.O_CREAT | os.O_WRONLY)\n"
        "os._exit(0 if number > 2 else 1)"
    )
    command = f'"{sys.executable}" -c "{script}" <&- >&- 2>&-'
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    ended = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment, check=False)
    assert ended.returncode == 0


def _status_and_text(command: list[str], encoding: str, monkeypatch) -> tuple[int, str]:
    console = Console(encoding)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", console.output)
        patch.setattr(sys, "stderr", console.errors)
        status = main.main(command)
    return status, console.text()
