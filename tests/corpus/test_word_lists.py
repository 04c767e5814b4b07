"""Lists of words: one a line, comments, read as texts are; and what can never match is said."""

import pickle

import pytest

from dplda.cli.main import main
from dplda.core.errors import InputError
from dplda.corpus import Label, Tokenisation
from dplda.corpus.words.tokenisation import Lexicon, fixed_list, released_list
from dplda.corpus.words.word_lists import WordList, entries_of
from tests.corpus.test_letters import read

SNOWBALL = """\ufeff | Common words; river and water are not among them
und            | and
  oder         | or, of a boat

# river
ＣＡＦＥ\u0301 # water
"""
DOCUMENTS = "river water café flood\ncafé boat lake river\nwater café boat\nriver flood bridge\n"


def listed(*entries: str, **options) -> tuple[Tokenisation, set[str]]:
    """A definition of a word with these stop words, and what it leaves out."""
    tokenisation = Tokenisation(stop_words=entries, **options)
    return tokenisation, set(tokenisation.reading.stop_words())


def test_comments_are_no_words() -> None:
    assert entries_of(SNOWBALL) == ("und", "oder", "ＣＡＦＥ\u0301")


@pytest.mark.parametrize("option", ["--stop-words", "--words"])
def test_list_with_comments_is_read_by_the_command(option, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs.txt").write_text(DOCUMENTS, "utf-8")
    (tmp_path / "list.txt").write_text(SNOWBALL, "utf-8")
    assert main(["read", "docs.txt", option, "list.txt"]) == 0
    output = capsys.readouterr().out
    n_words = 6 if option == "--stop-words" else 3
    assert f"{n_words} words make the vocabulary" in output
    assert "match no word" not in output


def test_stop_word_is_read_as_the_documents_are() -> None:
    tokenisation, _ = listed("ＣＡＦＥ\u0301", "oﬃce", "Bo\u00adat", "they’re")
    text = "café boat office they river water\n" * 3
    corpus = read(text, tokenisation=tokenisation)
    assert set(corpus.vocabulary) == {"river", "water"}
    assert corpus.intake.idle_stop_words == ()


@pytest.mark.parametrize(
    ("entries", "idle"),
    [
        (("the", "of", "don't", "it's", "n’t", ""), ()),
        (("of course", "covid-19", "a1", "the,a,an", "rock'n'roll", "the"), "all but the last"),
    ],
)
def test_entry_that_can_never_match_is_said(entries, idle) -> None:
    tokenisation, left_out = listed(*entries)
    expected = entries[:-1] if idle else ()  # all but the last
    assert tokenisation.reading.idle_stop_words() == expected
    assert not left_out & {"course", "covid", "rock", "roll"}
    intake = read("tea course\n" * 3, tokenisation=tokenisation).intake
    warning_lines = [warning for warning in intake.warnings() if "match no word" in warning]
    assert [warning[:30] for warning in warning_lines] == (
        ["5 stop words can match no word"] if idle else []
    )


def test_entry_matches_what_a_pattern_finds() -> None:
    tokenisation, left_out = listed("covid-19", "of course", pattern=r"[\w-]+")
    assert left_out == {"covid-19"}
    assert tokenisation.reading.idle_stop_words() == ("of course",)


def test_stop_words_of_another_case_are_left_out_where_case_is_kept() -> None:
    lexicon = Lexicon(Tokenisation(lowercase=False, stop_words=("Tea", "the")))
    codes, lengths = lexicon.read(["Tea TEA tea Milk of THE"])
    assert [lexicon.met[code] for code in codes if code >= 0] == ["Milk"]
    assert lengths.tolist() == [5]


def test_word_list_keeps_both_readings_in_another_process() -> None:
    word_list = fixed_list(["oﬃce", "tea"])
    copied = pickle.loads(pickle.dumps(word_list))
    assert (copied, copied.former) == (("office", "tea"), ("oﬃce", "tea"))


def test_list_of_a_release_is_taken_whatever_its_reading() -> None:
    former_words = ("donʼt", "oﬃce", "office", "tea", "milk")
    with pytest.raises(InputError, match="position 1"):
        fixed_list(former_words)
    assert tuple(released_list(former_words)) == ("office", "tea", "milk")
    assert released_list(former_words).former == former_words
    today = fixed_list(["tea", "milk"])
    assert released_list(today) == today


def test_repetition_in_a_list_is_refused_in_whatever_form() -> None:
    for repeated in (["tea", "milk", "TEA"], ["tea", "milk", "t\u00adea"]):
        with pytest.raises(InputError, match="repetition in position 3"):
            fixed_list(repeated)


def test_word_list_with_comments_reads_sensitive_documents_as_one_without() -> None:
    text = "tea milk\nmilk\ntea river\n"
    plain = read(text, vocabulary=["tea", "milk"], label=Label.SENSITIVE)
    assert (
        plain.digest == read(text, vocabulary=entries_of("tea #x\nmilk"), label="sensitive").digest
    )
    assert isinstance(fixed_list(["tea", "milk"]), WordList)
