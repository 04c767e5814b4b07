"""What a word is: one definition, whichever way texts are read, for other languages too."""

import io
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplda.core.errors import InputError
from dplda.corpus import Label, Tokenisation, load
from dplda.corpus.words.cleaning import clean_text
from dplda.corpus.words.tokenisation import Lexicon, fixed_list
from dplda.corpus.words.vocabulary import most_frequent, strip_controls

ODD = "aAbn'’t s_1 .,-—“”é\u0301ßΣσςİıñजñ東京は\u00a0\u2003\t\n½²٣𝒶\ud800😀ﬁǅ"
TEXTS = st.lists(st.text(st.sampled_from(ODD) | st.characters(), max_size=40), max_size=6)
KINDS = [
    Tokenisation(),
    Tokenisation(min_letters=1),
    Tokenisation(min_letters=7, lowercase=False),
    Tokenisation(pattern=r"\w+"),
    Tokenisation(pattern=r"[^\W_]+(?:-[^\W_]+)*", lowercase=False, min_letters=2),
    Tokenisation(pre_tokenised=True),
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
@settings(max_examples=60, deadline=None)
@given(texts=TEXTS)
def test_reading_in_blocks_finds_the_words_of_each_text(kind, texts) -> None:
    lexicon = Lexicon(
        Tokenisation(kind.pattern, kind.lowercase, kind.min_letters, (), kind.pre_tokenised)
    )
    cleaned = [clean_text(text).text for text in texts]
    numbers, lengths = lexicon.read(cleaned)
    readings_found = kind.reading.words(cleaned)
    assert [lexicon.met[number] for number in numbers] == [
        word for words_of_text in readings_found for word in words_of_text
    ]
    assert lengths.tolist() == list(map(len, readings_found))


@settings(max_examples=100, deadline=None)
@given(text=st.text(st.sampled_from(ODD) | st.characters(), max_size=60))
def test_controls_are_those_of_unicode(text) -> None:
    kept_characters = [
        c
        for c in text
        if c in "\t\n\v\f\r\x85\u2028\u2029" or unicodedata.category(c) not in ("Cc", "Cf")
    ]
    cleaned = strip_controls(text)
    assert cleaned.text == unicodedata.normalize("NFC", "".join(kept_characters))
    assert cleaned.n_removed == len(text) - len(kept_characters)


def read(text: str, **options):
    return load(("a.txt", io.BytesIO(text.encode())), label=Label.PUBLIC, **options)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (Tokenisation(), "tea york été 東京"),
        (Tokenisation(min_letters=2), "tea york été un 東京"),
        (Tokenisation(lowercase=False), "Tea TEA York Été 東京"),
        (Tokenisation(stop_words=("TEA", "york")), "été the 東京"),
        (Tokenisation(stop_words=()), "tea york été the 東京"),
        (Tokenisation(pattern=r"[a-z]\d|un"), "a4 un"),
        (Tokenisation(pattern=r"(t)(e)a|un"), "tea un"),
        (Tokenisation(pre_tokenised=True), "tea york, été un a4 東京"),
    ],
    ids=str,
)
def test_vocabulary_follows_the_tokenisation(kind, expected) -> None:
    text = "The Tea York,\nTEA un Été\nA4 東京 Tea\n"
    assert set(read(text, tokenisation=kind).vocabulary) == set(expected.split())


def test_fixed_list_holds_words_as_they_are_read() -> None:
    corpus = read(
        "A4 b\na4 c\nA4\n",
        vocabulary=["A4", "b"],
        tokenisation=Tokenisation(r"\w+", lowercase=False),
    )
    assert corpus.counts.toarray().tolist() == [[1, 1], [0, 0], [1, 0]]
    with pytest.raises(InputError, match="position 1"):
        fixed_list(["A4", "tea"])
    for wrong in (7, ["tea", 7], [b"tea", b"milk"]):
        with pytest.raises(InputError, match="a list of words"):
            fixed_list(wrong)
    with pytest.raises(InputError, match="position 2"):
        fixed_list(["a", "b c"], Tokenisation(min_letters=1))


@pytest.mark.parametrize(
    "wrong",
    [
        {"pattern": "("},
        {"pattern": r"\w+", "pre_tokenised": True},
        {"min_letters": 0},
        {"min_letters": 41},
        {"min_letters": 1.5},
        {"stop_words": "german"},
        {"stop_words": (1, 2)},
    ],
)
def test_arguments_that_make_no_sense_are_refused(wrong) -> None:
    with pytest.raises(InputError):
        Tokenisation(**wrong)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat sat", ["the", "cat", "sat"]),
        ("a bc def GHIJ", ["def", "ghij"]),
        ("snake_case x86_64 mp3player 2nd", ["snake", "case", "player"]),
        ("don't can’t it's they're John's", ["they", "john"]),
        ("l'homme d’État", ["homme", "état"]),
        ("Ärger straße ΣΟΦΊΑ", ["ärger", "straße", "σοφία"]),
        ("السلام عليكم", ["السلام", "عليكم"]),
        ("क्षत्रिय", ["क्षत्रिय"]),
        ("東京 は日本 ab ฉัน กิน 가나 각", ["東京", "は日本", "ฉัน", "กิน", "가나"]),
        (
            "<b>bold</b> **strong** $\\alpha$ =cmd|' /C calc'!A0",
            ["bold", "strong", "alpha", "cmd", "calc"],
        ),
        ("NA null 007 nan", ["null", "nan"]),
        ("𑄌𑄋𑄴𑄟𑄳𑄦 𝒶𝒷𝒸 ½½½", ["𑄌𑄋𑄴𑄟𑄳𑄦", "abc"]),
        ("", []),
        ("b\u0301\u0302\u0303 x\u0323yz", ["x\u0323yz"]),
        ("🙂🙂🙂 ½½½ ___ ٣٤٥", []),
    ],
)
def test_words_of_a_text_are_its_runs_of_letters(text, expected):
    assert Tokenisation().words(text) == expected


def test_most_frequent_breaks_ties_by_the_alphabet():
    candidates = ["dog", "ant", "bee", "cow", "eel"]
    frequency = np.array([2, 5, 2, 2, 0])
    assert most_frequent(frequency, candidates, 2) == [1, 2]
    assert most_frequent(frequency, candidates, 3) == [1, 2, 3]


def test_most_frequent_leaves_out_words_that_never_occur():
    candidates = ["dog", "ant", "bee", "cow", "eel"]
    frequency = np.array([2, 5, 2, 2, 0])
    assert most_frequent(frequency, candidates, 5) == [1, 2, 3, 0]
    assert most_frequent(frequency, candidates, 50) == [1, 2, 3, 0]


def test_most_frequent_of_zero_words_is_refused():
    candidates = ["dog", "ant", "bee", "cow", "eel"]
    frequency = np.array([2, 5, 2, 2, 0])
    with pytest.raises(InputError, match="n_words"):
        most_frequent(frequency, candidates, 0)


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        ([], "0 words"),
        (["ant"], "1 words"),
        (["ant", "bee", "ANT"], "repetition in position 3"),
        (["ant", ""], "position 2"),
        (["ant", "two words"], "position 2"),
        (["ant", "go"], "position 2"),
        (["ant", "x86"], "position 2"),
    ],
)
def test_fixed_list_that_cannot_be_met_is_refused(candidates, message):
    with pytest.raises(InputError, match=message) as caught:
        fixed_list(candidates)
    assert "two words" not in str(caught.value)


def test_fixed_list_beyond_its_limit_is_refused(monkeypatch):
    monkeypatch.setattr("dplda.corpus.words.tokenisation.MAX_WORDS", 3)
    with pytest.raises(InputError, match="list of 2 to 3 words, got 4 words"):
        fixed_list(["ant", "bee", "cow", "dog"])
