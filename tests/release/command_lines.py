"""What tests of the release commands have in common: a canary, a budget, arguments."""

from pathlib import Path

from dplda.cli import main

CANARY = "xylophonic"  # a word of one document, and of no vocabulary


def declare_mail(epsilon: str) -> None:
    assert main.main(["ledger", "declare", "mail", "--epsilon", epsilon, "--delta", "1e-5"]) == 0


def check_no_canary_on_disk(folder: Path) -> None:
    """No file holds the canary's word but the documents themselves."""
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "letters.txt":
            assert CANARY.encode() not in path.read_bytes(), path.name


def anew(letters: list[str]) -> list[str]:
    """Without what a release that it continues has settled: --words, --topics and --delta."""
    settled = [letters.index(option) for option in ("--words", "--topics", "--delta")]
    return [word for place, word in enumerate(letters) if not {place, place - 1} & {*settled}]
