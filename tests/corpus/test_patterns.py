"""Patterns that people give: matched within a limit of time, in a process that can be killed."""

import time

import pytest

from dplda.cli.main import main
from dplda.core.errors import InputError
from dplda.core.worker_pool import reading_process
from dplda.corpus import Tokenisation
from dplda.corpus.words import patterns
from dplda.corpus.words.patterns import WITH_DIGITS, find_words
from tests.corpus.test_letters import read

TEXTS = ["Type-2 diabetes, HbA1c & a_b", "", "x" * 200 + " é ½ 東京"]


@pytest.mark.parametrize(
    "pattern", [r"\w+", r"\S+", r"(?u)\b\w\w+\b", r"[a-z0-9]+", WITH_DIGITS, r"\w\d*", r"\d"]
)
def test_usual_pattern_is_matched_here(pattern, monkeypatch) -> None:
    monkeypatch.setattr(reading_process, "run_in_process", None)
    assert find_words(pattern, TEXTS) == patterns._matches(pattern, TEXTS)


@pytest.mark.parametrize(
    "pattern",
    [r"(a+)+$", r"\w+x", r"[a-c]+\b", r"(?:\w+-)*", r"\w+\w+", r"(?=x)x", r"a|b", r"\w+?"],
)
def test_pattern_not_plainly_linear_is_matched_in_a_process(pattern) -> None:
    assert patterns._PLAINLY_LINEAR.fullmatch(pattern) is None
    assert find_words(pattern, TEXTS[:1]) == patterns._matches(pattern, TEXTS[:1])


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|aa)+$", r"(a*)*b"])
def test_pattern_that_blows_up_is_refused_in_time(pattern, monkeypatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(patterns, "_BASE_SECONDS", 0.2)
        started = time.monotonic()
        with pytest.raises(
            InputError, match=r"pattern must be quick to match, at most 0\.2 seconds"
        ):
            read("a" * 40 + "!\n" * 3, tokenisation=Tokenisation(pattern=pattern))
        assert time.monotonic() - started < 30
    assert read("a b a\n" * 3, tokenisation=Tokenisation(pattern="(?:a|b)")).n_words == 2


def test_pattern_that_blows_up_ends_the_command_with_a_sentence(
    tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.setattr(patterns, "_BASE_SECONDS", 0.2)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("a" * 40 + "!\nb\nc\n")
    assert main(["read", "a.txt", "--pattern", "(a+)+$"]) == 2
    assert "quick to match" in capsys.readouterr().err
