import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.corpus.words.tokenisation import fixed_list
from dplda.corpus.words.vocabulary import most_frequent, strip_controls, words


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
        ("東京都 日本", ["東京都"]),
        ("<b>bold</b> **strong** $\\alpha$ =cmd|' /C calc'!A0", ["bold", "strong", "alpha", "cmd", "calc"]),
        ("NA null 007 nan", ["null", "nan"]),
        ("𑄌𑄋𑄴𑄟𑄳𑄦 𝒶𝒷𝒸 ½½½", ["𑄌𑄋𑄴𑄟𑄳𑄦", "𝒶𝒷𝒸"]),
        ("", []),
        ("b\u0301\u0302\u0303 x\u0323yz", ["x\u0323yz"]),
        ("🙂🙂🙂 ½½½ ___ ٣٤٥", []),
    ],
)
def test_words(text, expected):
    assert words(strip_controls(text).text) == expected


def test_most_frequent_breaks_ties_by_the_alphabet_and_leaves_out_what_never_occurs():
    candidates = ["dog", "ant", "bee", "cow", "eel"]
    frequency = np.array([2, 5, 2, 2, 0])
    assert most_frequent(frequency, candidates, 2) == [1, 2]
    assert most_frequent(frequency, candidates, 3) == [1, 2, 3]
    assert most_frequent(frequency, candidates, 5) == [1, 2, 3, 0]
    assert most_frequent(frequency, candidates, 50) == [1, 2, 3, 0]
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
def test_a_fixed_list_that_cannot_be_met_is_refused(candidates, message):
    with pytest.raises(InputError, match=message) as caught:
        fixed_list(candidates)
    assert "two words" not in str(caught.value)


def test_a_fixed_list_has_a_limit(monkeypatch):
    monkeypatch.setattr("dplda.corpus.words.tokenisation.MAX_WORDS", 3)
    with pytest.raises(InputError, match="list of 2 to 3 words, got 4 words"):
        fixed_list(["ant", "bee", "cow", "dog"])
