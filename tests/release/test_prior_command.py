"""``dplda release --prior``: words of the owner beside the documents, named wherever the release is."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from dplda.cli import main
from dplda.release.artefact.released_file import (
    SUFFIX,
    read_release,
    read_release_file,
    write_release,
)
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import EPSILON_UNITS, Ledger
from tests.release.command_lines import declare_mail


@dataclass
class PriorCommand:
    """Arguments of a release with a table of the owner's words, whose budget is declared.

    Attributes:
        arguments: of ``dplda``; of Refined, with the table.
        seeds: the file of the table.
        out: where the released file goes.
    """

    arguments: list[str]
    seeds: Path
    out: Path

    def release(self, *options: str) -> int:
        return main.main([*self.arguments, *options, "--yes", "--out", str(self.out)])

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.seeds.read_bytes()).hexdigest()

    @property
    def sentence(self) -> str:
        """What is said of the table wherever the release is."""
        return (
            f"The table “seeds.txt” (SHA-256 {self.digest[:12]}…, from words typed by the owner) "
            "is public"
        )


@pytest.fixture
def command(letters: list[str], tmp_path: Path) -> PriorCommand:
    declare_mail("3")
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("tea: kettle, milk\nsweet: sugar", "utf-8")
    refined = ["refined" if word == "private-unigram" else word for word in letters]
    return PriorCommand([*refined, "--prior", str(seeds)], seeds, tmp_path / f"tea{SUFFIX}")


def test_release_command_with_a_prior_refuses_a_method_without_one(command, capsys) -> None:
    assert main.main([*command.arguments, "--method", "private-unigram"]) == 2
    assert "Add --method refined" in capsys.readouterr().err


def test_release_command_with_a_prior_states_it_beside_the_price(command, capsys) -> None:
    assert main.main(command.arguments) == 1
    assert command.sentence in capsys.readouterr().out


def test_release_command_with_a_prior_asks_the_documents_about_it(command) -> None:
    assert command.release() == 0
    tested_release = read_release_file(command.out)
    prior_use = tested_release.prior_use
    assert (prior_use.asked, prior_use.digest) == (True, command.digest)
    has_topics = tested_release.prior_topics is not None
    assert (b'"brought"' in write_release(tested_release)) == has_topics, "as in older files"


def test_release_command_with_a_trusted_prior_releases_its_topics(command) -> None:
    assert command.release("--trust-prior") == 0
    trusted_release = read_release_file(command.out)
    np.testing.assert_allclose(np.sum(trusted_release.prior_topics, axis=1), 1)
    assert (trusted_release.lower, trusted_release.prior_use.used) == (None, True)
    reread = read_release(write_release(trusted_release), "a file")
    assert write_release(reread) == command.out.read_bytes()


def test_report_of_a_trusted_prior_states_whose_words_they_are(command, tmp_path: Path) -> None:
    assert command.release("--trust-prior") == 0
    trusted_release, report = read_release_file(command.out), tmp_path / "report.html"
    assert any(command.sentence in sentence for sentence in trusted_release.guarantee.rests_on)
    assert main.main(["report", str(command.out), "--out", str(report)]) == 0
    for sentence in (command.sentence, "table “seeds.txt”): its owner trusts it, so"):
        assert sentence in report.read_text("utf-8"), "whatever noise left of the topics"


def test_release_command_that_trusts_its_prior_is_another_request(
    command, tmp_path: Path, capsys
) -> None:
    assert command.release() == 0
    assert command.release("--trust-prior") == 0
    assert "costs nothing" not in capsys.readouterr().out
    main.main(["ledger", "show", "mail"])
    assert capsys.readouterr().out.count(command.digest) == 2
    assert Ledger(Folder(tmp_path / "releases")).balance("mail").added_up[0] == 2 * EPSILON_UNITS


def test_release_command_with_a_prior_off_the_word_list_is_refused_uncharged(
    command, tmp_path: Path, capsys
) -> None:
    command.seeds.write_text("coffee: mocha", "utf-8")
    assert command.release() == 2
    assert "words on the word list" in capsys.readouterr().err
    assert Ledger(Folder(tmp_path / "releases")).balance("mail").added_up == (0, 0)


def test_release_of_the_tables_own_topics_has_to_be_asked_for_by_name(
    letters, tmp_path: Path, capsys
) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("tea: kettle, lemon\nmilk: milk, sugar\n", "utf-8")
    little = [*letters, "--method", "refined", "--prior", str(seeds), "--epsilon", "0.1", "--yes"]
    assert main.main(["ledger", "declare", "mail", "--epsilon", "1.5"]) == 0
    capsys.readouterr()
    assert main.main(little) == 2
    output = capsys.readouterr()
    assert "These would be the table's own topics" in output.out
    assert "add --table-topics" in output.err
    assert not list((tmp_path / "releases").glob(f"*{SUFFIX}"))
    assert main.main([*little, "--table-topics"]) == 0
