"""``dplda audit-topics``: what it prints, and what its status says."""

from pathlib import Path

import numpy as np
import pytest

from dplda.cli import main
from dplda.release.artefact.released_file import write_release
from tests.release.test_artefact import artefact, thirds

WORDS = [f"{first}{second}word" for first in "bcdfghkl" for second in "aeiou"]
N_MEMBERS = 30


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Documents of a few words each, and the table of each member's own words."""
    folder = tmp_path_factory.mktemp("attacked")
    rng = np.random.default_rng(0)
    drawn_words = [rng.choice(len(WORDS), size=12) for _ in range(4 * N_MEMBERS)]
    texts = [" ".join(WORDS[word] for word in words) for words in drawn_words]
    (folder / "members.txt").write_text("\n".join(texts[:N_MEMBERS]) + "\n")
    (folder / "others.txt").write_text("\n".join(texts[N_MEMBERS:]) + "\n")
    table = np.array(
        [np.bincount(words, minlength=len(WORDS)) for words in drawn_words[:N_MEMBERS]]
    )
    np.savez(folder / "table.npz", topics=table, words=np.array(WORDS))
    np.savez(folder / "flat.npz", topics=np.ones((1, 41)), words=np.array([*WORDS, "two words"]))
    return folder


def run(folder: Path, table: str, *options: str) -> int:
    files = [str(folder / table), "--members", f"{folder}/members.txt"]
    return main.main(["audit-topics", *files, "--others", f"{folder}/others.txt", *options])


def test_command_on_a_table_that_copies_documents_states_a_bound(folder, capsys) -> None:
    assert run(folder, "table.npz") == 0
    printed = capsys.readouterr()
    assert "30 topics over 40 of the table's 40 words." in printed.out
    assert "ε is at least" in printed.out
    assert "nothing protects them" in printed.err


def test_command_with_a_claim_below_the_bound_ends_with_status_1(folder, capsys) -> None:
    assert run(folder, "table.npz", "--epsilon", "0.1") == 1
    assert "more than the claimed ε = 0.1" in capsys.readouterr().out


def test_command_on_a_table_that_knows_nothing_says_what_that_does_not_show(folder, capsys) -> None:
    assert run(folder, "flat.npz", "--epsilon", "0.1") == 0
    output = capsys.readouterr().out
    assert "over 40 of the table's 41 words" in output
    assert "does not show that the table is private" in output


def test_command_on_documents_of_another_kind_ends_with_status_3(folder, capsys) -> None:
    other_words = "\n".join(" ".join(WORDS[:3]) for _ in range(60))
    (folder / "alien.txt").write_text(other_words)
    status = run(folder, "flat.npz", "--others", f"{folder}/alien.txt")
    assert (status, "no bound is stated" in capsys.readouterr().out) == (3, True)


def test_command_reads_a_released_file(folder, tmp_path, capsys) -> None:
    """Its words are three, which half of these documents have."""
    release = tmp_path / "topics.json"
    release.write_bytes(write_release(artefact(thirds(1.0, 1e-6), 1.0, 1e-6)))
    documents = tmp_path / "documents.txt"
    documents.write_text("tea milk sugar tea\nrain wind snow\n" * 20)
    files = ["--members", str(documents), "--others", str(documents)]
    assert main.main(["audit-topics", str(release), *files]) == 0
    assert "1 topic over 3 of the table's 3 words." in capsys.readouterr().out


def test_command_on_json_that_is_no_table_says_so(folder, tmp_path, capsys) -> None:
    (tmp_path / "a.json").write_text('{"topics": 3}')
    assert run(folder, f"{tmp_path}/a.json") == 2
    assert "no list of topics with weights by word" in capsys.readouterr().err


def test_command_with_a_word_list_of_its_own_refuses_it(folder, capsys) -> None:
    assert run(folder, "flat.npz", "--words", f"{folder}/members.txt") == 2
    assert "--words must be left out because the table has the words" in capsys.readouterr().err
