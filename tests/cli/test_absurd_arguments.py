"""Every argument of every command, with values that make no sense: refused in a sentence, and nothing is written."""

import os
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from dplda.cli import dashboard, main

LONG = "x" * 5_000
NOT_NUMBERS = ("", " ", "x", "nan", "½", "1,000", LONG)
NUMBERS = (*NOT_NUMBERS, "inf", "-inf", "-1", "1e400")
WHOLE = (*NUMBERS, "2.5", "-0.5", "1e3", "9" * 5_000)
INPUT_FILES = ("", "nowhere.txt", "nowhere/x", "\udcff.txt", LONG, "/proc/kmsg", "/dev/null", ".")
OUTPUT_FILES = ("", "nowhere/x.json", ".", "/proc/self/x.json", f"{LONG}.json")
FOLDERS = ("", "documents.csv", "documents.csv/x", LONG)
NAMES = ("", " ", "\n", "nothing\x1b[31m", LONG)
CHOICES = ("", "x", "PERSON ", LONG)
DATES = ("", "x", "2024-13", "-1", "2024-1-1-1", "99999", LONG)
WORDS = "words.txt"

COMMANDS = {
    "read": ["documents.csv", "--text", "body"],
    "fit": ["documents.csv", "--text", "body", "--label", "public", "-k", "2", "--out", "t.json"],
    "release": [
        *("documents.csv", "--text", "body", "--dataset", "mail", "--title", "Mail", "-k", "2"),
        *("--words", WORDS, "--epsilon", "3", "--method", "private-unigram"),
    ],
    "shares": [
        *("topics.json", "documents.csv", "--text", "body", "--by", "who", "--groups", "who.txt"),
        *("--by-month", "day", "--from", "2024-01", "--to", "2024-02"),
    ],
    "apply": ["topics.json", "documents.csv", "--text", "body", "--out", "shares.csv"],
    "report": ["documents.csv", "--out", "page.html"],
    "page": ["--out", "play.html"],
    "sweep": ["spec.toml", "--store", "store"],
    "audit": ["private-unigram", "--epsilon", "1"],
    "audit-topics": [
        *("table.csv", "--members", "documents.csv", "--others", "documents.csv"),
        *("--text", "body"),
    ],
    "ledger declare": ["letters", "--epsilon", "1"],
    "ledger lower": ["mail", "--epsilon", "4"],
    "ledger show": [],
    "ledger backup": ["copy"],
    "ledger verify": [],
    "app": ["--no-open"],
    "health": ["--port", "1"],
}
ABSURD = {
    "documents": INPUT_FILES[:-1],
    "release": INPUT_FILES,
    "previous": INPUT_FILES,
    "spec": INPUT_FILES,
    "files": INPUT_FILES[:1],
    "place": ("", "documents.csv", "nowhere/x", "releases", "releases/x", LONG),
    "method": CHOICES,
    "table": (*INPUT_FILES, "documents.csv", WORDS),
    "--members": INPUT_FILES[:-1],
    "--others": INPUT_FILES[:-1],
    "--topic-words": (*INPUT_FILES, WORDS),
    "--confidence": (*NUMBERS, "0", "1"),
    "dataset": NAMES,
    "--text": ("nothing", "", LONG),
    "--person": ("nothing", "", LONG),
    "--words": INPUT_FILES,
    "--encoding": ("", "x", "base64", LONG),
    "--counted-words": ("nowhere.txt",),
    "--max-mb": (*WHOLE, "0"),
    "--max-documents": (*WHOLE, "0"),
    "--pattern": ("(", "*", ""),
    "--stop-words": INPUT_FILES,
    "--n-words": (*WHOLE, "0"),
    "--label": CHOICES,
    "--out": OUTPUT_FILES,
    "--method": CHOICES,
    "--prior": INPUT_FILES,
    "--prior-corpus": INPUT_FILES,
    "-k": (*WHOLE, "0", "1", "100000000000"),
    "--alpha0": (*NUMBERS, "0"),
    "--epsilon": (*NUMBERS, "0"),
    "--delta": (*NUMBERS, "1", "2"),
    "--seed": WHOLE,
    "--engine": CHOICES,
    "--scheduler": ("x",),
    "--memory-limit": (*NUMBERS, "0"),
    "--folder": FOLDERS,
    "--dataset": NAMES,
    "--title": NAMES,
    "--by": ("nothing", "", LONG),
    "--by-month": ("nothing", "", LONG),
    "--by-year": ("day", "nothing", "", LONG),
    "--groups": INPUT_FILES,
    "--select-groups": (*WHOLE, "0", "1"),
    "--from": DATES,
    "--to": DATES,
    "--select": (*WHOLE, "0", "1"),
    "--select-epsilon": (*NUMBERS, "0"),
    "--select-delta": (*NUMBERS, "0", "1"),
    "--continue": INPUT_FILES,
    "--shares": INPUT_FILES,
    "--card": OUTPUT_FILES,
    "--file-at": (LONG,),
    "--officer": OUTPUT_FILES,
    "--record": OUTPUT_FILES,
    "--mean-length": (*NUMBERS, "0"),
    "--documents-per-person": (*NUMBERS, "0"),
    "--csv": OUTPUT_FILES,
    "--store": FOLDERS,
    "--runs": (*WHOLE, "0", "1"),
    "--sabotage": CHOICES,
    "--protects": CHOICES,
    "--noise": CHOICES,
    "--port": (*WHOLE, "0", "65536"),
    "--host": ("", " ", "0.0.0.0", "nowhere.invalid", "\udcff", LONG),
}
NEEDED_BESIDE = {  # for the value to matter at all
    "--person": {"release": ["--dataset", "persons"]},
    "--prior": {
        "fit": ["--method", "refined", "--epsilon", "1"],
        "release": ["--method", "refined"],
    },
    "--prior-corpus": {
        "fit": ["--method", "refined", "--epsilon", "1"],
        "release": ["--method", "refined"],
    },
    "--delta": {"fit": ["--method", "refined", "--epsilon", "1"]},
    "--select-epsilon": {"release": ["--select", "5"]},
    "--select-delta": {"release": ["--select", "5"]},
    "--file-at": {"report": ["--card", "card.svg"]},
}
SPEC = """
methods = ["unigram"]
[[settings]]
name = "tiny"
n_topics = 2
alpha0 = 1
simulation = {n_documents = 300, n_words = 12, n_topics = 2, mean_length = 20}
"""


def command_named(name: str) -> click.Command:
    group: click.Command = main._Commands()
    for part in name.split():
        assert isinstance(group, click.Group)
        group = group.get_command(click.Context(group), part)
    return group


def parameters() -> Iterator[tuple[str, click.Parameter]]:
    """Every argument and option that takes a value, with its command."""
    for command in COMMANDS:
        for parameter in command_named(command).params:
            if not (isinstance(parameter, click.Option) and parameter.is_flag):
                yield command, parameter


def label_of(parameter: click.Parameter) -> str:
    return parameter.opts[0] if isinstance(parameter, click.Option) else str(parameter.name)


CASES = [(command, label_of(parameter)) for command, parameter in parameters()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with all that the commands read, and the ledger; the current one."""
    folder = tmp_path_factory.mktemp("absurd")
    words = ("rain", "wind", "tea", "milk") * 10
    lines = [f'ann,2024-01-31,"tea milk sugar tea {word}"' for word in words]
    (folder / "documents.csv").write_text("\n".join(["who,day,body", *lines]) + "\n")
    (folder / "who.txt").write_text("ann\nbob\n")
    (folder / WORDS).write_text("tea\nmilk\nsugar\nrain\nwind\n")
    (folder / "spec.toml").write_text(SPEC)
    (folder / "table.csv").write_text("tea,milk,sugar,rain,wind\n2,1,1,0,0\n1,1,0,2,1\n")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(folder)
        monkeypatch.setenv("DPLDA_RELEASES", str(folder / "releases"))
        assert main.main(["ledger", "declare", "mail", "--epsilon", "5"]) == 0
        declare_persons = ["ledger", "declare", "persons", "--epsilon", "5", "--protects", "person"]
        assert main.main(declare_persons) == 0
        topics = ["release", *COMMANDS["release"], "--out", "topics.json", "--yes"]
        assert main.main([*topics, "--method", "refined"]) == 0
        monkeypatch.setattr(os, "execve", lambda *_: pytest.fail("a server was started"))
        yield folder


def files_in(folder: Path) -> dict[str, int]:
    return {str(path): path.lstat().st_size for path in sorted(folder.rglob("*"))}


def arguments_with(command: str, label: str, value: str) -> list[str]:
    """A command's usual arguments, with this value for one of them."""
    usual = [*COMMANDS[command], *NEEDED_BESIDE.get(label, {}).get(command, [])]
    if not label.startswith("-"):
        return [*command.split(), *usual[1:], "--", value]
    if label in usual:
        place = usual.index(label)
        del usual[place : place + 2]
    return [
        *command.split(),
        *usual,
        f"{label}={value}" if label.startswith("--") else label + value,
    ]


def test_table_of_arguments_holds_every_command() -> None:
    groups = {name: command_named(name) for name in main.COMMANDS}
    names = {
        f"{name} {part}" if isinstance(command, click.Group) else name
        for name, command in groups.items()
        for part in getattr(command, "commands", [""])
    }
    assert {*COMMANDS} == names


@pytest.mark.parametrize(("command", "label"), CASES)
def test_absurd_values_of_an_argument_are_refused_in_a_sentence(
    command, label, folder, capsys
) -> None:
    files_before = files_in(folder)
    for value in ABSURD[label]:
        assert main.main(arguments_with(command, label, value)) == 2, value[:50]
        last_line = capsys.readouterr().err.splitlines()[-1]
        assert last_line.startswith(("dplda: ", "Error: ")), last_line
        assert last_line.endswith((".", "?", ")")), last_line
        assert last_line.isprintable()
        assert len(last_line) < 1_000
    assert files_in(folder) == files_before


@pytest.mark.parametrize("command", sorted({*COMMANDS} - {"app", "audit", "health", "report"}))
def test_usual_arguments_of_a_command_are_accepted(command, folder, capsys) -> None:
    """Else nothing would be known of the value that is refused beside them."""
    usual = COMMANDS[command]
    if command == "ledger lower":
        usual = ["persons", *usual[1:]]  # "mail" stays as it is, for the other tests
    is_priced = command in ("release", "shares")
    assert main.main([*command.split(), *usual]) == is_priced  # 1: a price alone
    assert "price" not in capsys.readouterr().err


@pytest.mark.parametrize("absurd", ["a\0b", "\ud83d"])
@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_arguments_that_no_file_name_can_hold_are_refused(command, absurd, folder, capsys) -> None:
    assert main.main([*command.split(), *COMMANDS[command], absurd]) == 2
    assert "must be valid text without zero characters" in capsys.readouterr().err


def test_fault_of_the_program_names_its_place_without_its_text(folder, capsys, monkeypatch) -> None:
    def fail(*arguments: object) -> None:
        raise KeyError("a word of a document")

    monkeypatch.setattr(dashboard.socket, "create_server", fail)
    assert main.main(["app", "--no-open"]) == main.FAULT
    error_text = capsys.readouterr().err
    assert "KeyError at test_absurd_arguments.py:" in error_text
    assert "a word of a document" not in error_text
