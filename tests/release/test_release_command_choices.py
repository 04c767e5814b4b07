"""``dplda release`` over words that are selected privately, and of more ε for a release that exists."""

from pathlib import Path

import pytest

from dplda.cli import main
from dplda.corpus import Selection
from dplda.methods.base.problem import alpha0_of_person
from dplda.privacy.accounting.gaussian import compose, mu_for
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.privacy.word_selection.thresholds import combine_with_fit
from dplda.release.artefact.released_file import SUFFIX, read_release_file
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from tests.release.command_lines import anew, check_no_canary_on_disk, declare_mail

SELECTION = Selection(50, 2.0, 1e-8)  # of words, as `with_selected_words` asks for it


def with_selected_words(letters: list[str], folder: Path) -> list[str]:
    """Arguments of a release over words that are selected privately, two of a public list among them."""
    words = folder / "words.txt"
    words.write_text("zebra\nkettle")
    selection = ["--select", "50", "--select-epsilon", "2", "--words", str(words)]
    return [*without_words(letters), *selection, "--yes"]


def without_words(letters: list[str]) -> list[str]:
    place = letters.index("--words")
    return letters[:place] + letters[place + 2 :]


def test_release_command_without_words_offers_to_select_them(letters, capsys) -> None:
    declare_mail("9")
    assert main.main(without_words(letters)) == 2
    assert "--select" in capsys.readouterr().err


def test_release_command_with_selected_words_states_the_cost_of_both(
    letters, tmp_path: Path, capsys
) -> None:
    declare_mail("9")
    out = tmp_path / f"tea{SUFFIX}"
    assert main.main([*with_selected_words(letters, tmp_path), "--out", str(out)]) == 0
    output = capsys.readouterr().out
    assert (
        "at most 50 words, selected privately: a public list of 2, and other words that" in output
    )
    assert "its owner chose the way to pick words, the method" in output
    total, delta = combine_with_fit(SELECTION, epsilon=1.0, delta=1e-6, gaussian_fit=True)
    shown_total = format_rounded_up(total, 3)
    assert (
        "Picking words and finding topics both use the budget"
        f" (ε = 2 and ε = 1, together ε = {shown_total})." in output
    )
    assert f"of the budget of “mail”, permanently (ε = {shown_total}, δ = 1.01e-6)." in output
    released = read_release_file(out)
    assert (released.guarantee.epsilon, released.guarantee.delta) == (total, delta)
    all_mus = [value.mu for value in released.noisy_values for _ in range(value.times)]
    assert compose(all_mus) <= mu_for(total, delta)


def test_release_file_with_selected_words_states_how_they_were_selected(
    letters, tmp_path: Path
) -> None:
    declare_mail("9")
    out = tmp_path / f"tea{SUFFIX}"
    assert main.main([*with_selected_words(letters, tmp_path), "--out", str(out)]) == 0
    released = read_release_file(out)
    assert set(released.vocabulary) == {"kettle", "milk", "sugar", "lemon", "spoon", "zebra"}
    assert released.noisy_values[0].shape == (4,), "how many words were not taken stays unsaid"
    sentences = released.guarantee.rests_on
    assert any("selected privately" in sentence for sentence in sentences)
    (choice,) = (sentence for sentence in sentences if "without looking" in sentence)
    assert choice.startswith("The owner states that "), "nobody checks it"


def test_continuation_over_selected_words_keeps_them(letters, tmp_path: Path, capsys) -> None:
    declare_mail("9")
    out, continued = tmp_path / f"tea{SUFFIX}", tmp_path / f"more{SUFFIX}"
    assert main.main([*with_selected_words(letters, tmp_path), "--out", str(out)]) == 0
    arguments = [*anew(letters), "--continue", str(out), "--yes"]
    capsys.readouterr()
    assert main.main(arguments) == 2
    assert "Choose a larger total" in capsys.readouterr().err, (
        "the words alone took more than ε = 1"
    )
    assert main.main([*arguments, "--epsilon", "4", "--out", str(continued)]) == 0
    assert read_release_file(continued).vocabulary == read_release_file(out).vocabulary
    assert read_release_file(continued).guarantee.epsilon == pytest.approx(4, rel=1e-4)


def test_release_command_with_selected_words_asked_again_is_free(
    letters, tmp_path: Path, capsys
) -> None:
    """The canary's word is released in no file."""
    declare_mail("9")
    arguments = with_selected_words(letters, tmp_path)
    assert main.main(arguments) == 0
    capsys.readouterr()
    assert main.main(arguments) == 0
    assert "costs nothing" in capsys.readouterr().out
    check_no_canary_on_disk(tmp_path)


@pytest.fixture
def tea(letters: list[str], tmp_path: Path) -> Path:
    """A released file of ε = 1, of a budget of 2."""
    out = tmp_path / f"tea{SUFFIX}"
    assert main.main(["ledger", "declare", "mail", "--epsilon", "2"]) == 0
    assert main.main([*letters, "--yes", "--out", str(out)]) == 0
    return out


def test_continuation_refuses_what_its_release_has_settled(
    letters, tea: Path, tmp_path: Path, capsys
) -> None:
    arguments = [*anew(letters), "--continue", str(tea), "--yes", "--epsilon"]
    capsys.readouterr()
    assert main.main([*arguments, "1"]) == 2
    assert "Choose a larger total" in capsys.readouterr().err
    for option in ("--topics", "--alpha0", "--delta", "--select", "--select-epsilon"):
        assert main.main([*arguments, "1.5", option, "2"]) == 2, "not silently another"
        assert f"{option} must be left out with" in capsys.readouterr().err
    assert main.main([*arguments, "1.5", "--out", str(tmp_path / "letters.txt")]) == 2
    assert "another than those that are read" in capsys.readouterr().err


def test_continuation_to_a_total_is_charged_after_consent(letters, tea: Path, capsys) -> None:
    arguments = [*anew(letters), "--continue", str(tea), "--epsilon", "1.5"]
    capsys.readouterr()
    assert main.main(arguments) == 1
    assert (
        "promise ε = 1.5, δ = 1e-6 if this total was chosen before the first release."
        in capsys.readouterr().out
    )
    assert main.main([*arguments, "--yes"]) == 0
    assert "(ε = 1.5, δ = 1e-6)" in capsys.readouterr().out
    assert Ledger(Folder()).balance("mail").percent_left == 39, "of 2, 1.5 is used"


def test_release_command_refuses_options_that_do_not_apply(letters, capsys) -> None:
    declare_mail("2")
    assert main.main([*letters, "--person", "From"]) == 2
    assert "left out for a dataset that protects documents" in capsys.readouterr().err
    assert main.main(["release", "", *letters[2:]]) == 2
    capsys.readouterr()
    assert main.main([*letters, "--select-epsilon", "1"]) == 2
    assert "left out without --select" in capsys.readouterr().err


@pytest.fixture
def letters_of_persons(letters: list[str], tmp_path: Path) -> list[str]:
    """Arguments of a release that protects persons, who wrote two letters each."""
    declared = ["ledger", "declare", "mail", "--epsilon", "2", "--delta", "1e-5"]
    assert main.main([*declared, "--protects", "person"]) == 0
    texts = Path(letters[1]).read_text("utf-8").splitlines()
    table = tmp_path / "letters.csv"
    rows = [f"{text},author{number // 2}" for number, text in enumerate(texts)]
    table.write_text("\n".join(["text,author", *rows]), "utf-8")
    reading = ["release", str(table), "--text", "text", "--person", "author"]
    return [*reading, *letters[2:], "--alpha0", "0.1", "--documents-per-person", "2"]


def test_release_command_with_person_alpha0_takes_that_of_all_documents(
    letters_of_persons, tmp_path: Path, capsys
) -> None:
    out = tmp_path / f"tea{SUFFIX}"
    assert main.main([*letters_of_persons, "--person-alpha0", "--out", str(out), "--yes"]) == 0
    assert "α0 is 1.2: that of all documents of a person." in capsys.readouterr().out
    assert read_release_file(out).alpha0 == alpha0_of_person(0.1, documents_per_person=2) == 1.2


@pytest.mark.parametrize(
    ("first_flags", "flags"), [([], ["--person-alpha0"]), (["--person-alpha0"], [])]
)
def test_release_command_names_the_release_that_differs_in_alpha0_alone(
    first_flags: list[str], flags: list[str], letters_of_persons, capsys
) -> None:
    assert main.main([*letters_of_persons, *flags]) == 1
    assert "shows an earlier release" not in capsys.readouterr().out, "nothing is released yet"
    assert main.main([*letters_of_persons, *first_flags, "--yes"]) == 0
    path = capsys.readouterr().out.splitlines()[-2].removeprefix("File: ")
    assert main.main([*letters_of_persons, *flags]) == 1, "it is offered, and nothing is refused"
    first_word, alpha0 = ("With", "1.2") if first_flags else ("Without", "0.1")
    sentence = f"{first_word} --person-alpha0 this command shows an earlier release free, of α0 ="
    assert f"{sentence} {alpha0}: {path}" in capsys.readouterr().out.splitlines()
    assert main.main([*letters_of_persons, *flags, "--epsilon", "0.5"]) == 1
    assert "shows an earlier release" not in capsys.readouterr().out, "ε differs, too"


def test_release_command_refuses_person_alpha0_where_documents_are_protected(
    letters, capsys
) -> None:
    declare_mail("2")
    assert main.main([*letters, "--person-alpha0"]) == 2
    assert "left out for a dataset that protects documents" in capsys.readouterr().err
