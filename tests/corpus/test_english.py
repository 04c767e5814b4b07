"""The list of common English words, the share that a list keeps, and texts that look like something else."""

import io
from collections.abc import Sequence
from runpy import run_path

import pytest
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from dplda.corpus import Intake, load
from dplda.corpus.readers.load import glance
from dplda.corpus.words import vocabulary
from dplda.corpus.words.tokenisation import fixed_list
from dplda.corpus.words.vocabulary import english_words, short_stop_words, stop_words

NEWS = (
    b"The government raised taxes again, and the president told reporters that companies were paying more.\n"
    b"Rescued sailors were carried to hospitals after the storm; doctors treated their injuries.\n"
    b"Voters in the cities chose a younger candidate, who promised better schools and stopped planning roads.\n"
)


def test_english_list_holds_words_alone() -> None:
    word_list = english_words()
    assert fixed_list(word_list) == word_list, (
        "distinct words of three letters or more, in lower case"
    )
    assert 5000 <= len(word_list) <= 8000
    assert not stop_words() & set(word_list)
    assert {
        "cities",
        "churches",
        "teaching",
        "planned",
        "stopping",
        "carrying",
        "agreed",
        "days",
    } <= set(word_list)


def nowhere(path: str) -> dict[str, object]:
    raise FileNotFoundError(path)


@pytest.mark.parametrize("reader", [run_path, nowhere])
def test_stop_words_are_those_of_scikit_learn_wherever_it_keeps_them(reader, monkeypatch) -> None:
    monkeypatch.setattr(vocabulary, "run_path", reader)
    vocabulary._scikit_learn_stop_words.cache_clear()
    stop_list = stop_words.__wrapped__() | short_stop_words.__wrapped__()
    assert stop_list == ENGLISH_STOP_WORDS
    assert {len(word) for word in short_stop_words()} == {1, 2}


def intake(text: bytes, vocabulary: Sequence[str] | None) -> Intake:
    record = load(("x.txt", io.BytesIO(text)), label="public", vocabulary=vocabulary).intake
    assert record is not None
    return record


def test_share_kept_of_news_is_said_in_words() -> None:
    news = intake(NEWS, english_words())
    assert news.share_kept > 0.85
    kept_sentence = f"{news.share_kept:.0%} of the words, not counting stop words"
    assert news.kept_in_words() == (f"The word list keeps {kept_sentence}.",)


def test_share_kept_counts_no_stop_words_unless_listed() -> None:
    half = intake(b"the tea and the milk\n" * 3, ["tea", "the"])
    assert (half.n_tokens, half.n_stopped, half.n_tokens_kept) == (15, 3, 9), (
        "a stop word that is listed counts"
    )


def test_share_kept_below_one_half_warns() -> None:
    intake_of_few = intake(b"tea milk sugar\n" * 3, ["tea", "cup"])
    assert intake_of_few.share_kept == pytest.approx(1 / 3)
    assert "less than half" in intake_of_few.kept_in_words()[1]


def test_share_kept_without_a_list_is_one() -> None:
    assert (
        intake(b"the tea and the milk\n" * 3, None).share_kept
        == Intake(3, 0, 0, 0, 0, 0, 0, 0).share_kept
        == 1
    )


def test_glance_reads_the_first_documents_without_moving_the_file() -> None:
    file = io.BytesIO(b"text,who\n" + b"tea milk,x\n" * 30 + b'"broken\n' + b"y" * 10)
    intake_seen = glance(("x.csv", file), text="text", vocabulary=["tea", "cup"], n_documents=20)
    assert intake_seen is not None
    assert (intake_seen.n_read, intake_seen.share_kept, file.tell()) == (20, 0.5, 0)


def test_glance_at_counted_words_shows_nothing() -> None:
    assert (
        glance(("docword.txt", io.BytesIO(b"1\n1\n1\n1 1 1\n")), vocabulary=["tea", "cup"]) is None
    )


HTML = "<!DOCTYPE html>\n<html>\n<body class='a'>\n<p>Green tea</p>\n<p>black tea\nwith milk</p>\n</body>\n</html>\n"
MAIL = (
    "From: ann@example.org\nSubject: tea\nDate: Mon, 1 Jan 2024\n\nGreen tea with milk\n"
    + "and more of it\n" * 20
)
CHINESE = (
    "绿茶加牛奶的味道很好，红茶不加牛奶也很好。\n我们每天下午喝茶，晚上不喝茶。\n绿茶红茶都不错。\n"
)
PROSE = "Green tea with milk, if a < b and b > c\nSubject to change: tea\nfrom here to there\n" * 10
KINDS = {
    "HTML": "Save it as plain text",
    "mail": "read it as .mbox",
    "spaces": "in which spaces already separate",
}


def said(text: str) -> list[str]:
    """Of which kinds it is said, with what to do."""
    sentences = " ".join(intake(text.encode(), None).warnings())
    return [kind for kind, phrase in KINDS.items() if phrase in sentences]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (HTML, ["HTML"]),
        (MAIL, ["mail"]),
        (CHINESE, ["spaces"]),
        (PROSE, []),
        (HTML * 3 + PROSE, ["HTML"]),
        (
            "녹차와 우유를 마십니다\n홍차를 마십니다 오후에는\n우유는 좋습니다\n",
            [],
        ),  # Korean has spaces
    ],
)
def test_warnings_of_text_name_html_mail_or_missing_spaces(text, kinds) -> None:
    assert said(text) == kinds
