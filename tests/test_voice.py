"""How texts read: short sentences, and none of the phrases that read like a translation."""

import ast
import re
from collections.abc import Iterator
from functools import cache

from tests.house.source import ROOT, Source, project

LONGEST = 24  # words of a sentence on a page, in an error or a report
LONGEST_IN_DOCS = 28
ENDS = re.compile(r"(?<=[.!?:])\s+|\n+")
RETIRED = re.compile(
    r"δ apart, odds|is for looking|drown in it|as thick as its share|shrunk away|take away|the other way round"
    r"|is the least of the methods|the print gives|must be at hand|at best, however clever|they were paid for"
    r"|an address does not hold|hardly ever is a draw|is for δ to cover|beside the question|whoever is in use"
    r"|nobody listens|when they are asked to|are whole, in order|close it to them|words: \{",
    re.IGNORECASE,
)


@cache
def strings(file: Source) -> tuple[str, ...]:
    """Every text of a file but docstrings, an ellipsis for what is filled in."""
    return tuple(_each_string(file))


def _each_string(file: Source) -> Iterator[str]:
    part_ids = {
        id(part) for node in file.nodes() if isinstance(node, ast.JoinedStr) for part in node.values
    }
    docstring_ids = {id(node.value) for node in file.nodes() if isinstance(node, ast.Expr)}
    in_others = part_ids | docstring_ids
    for node in file.nodes():
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values
            )
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in in_others
        ):
            yield node.value


def test_sentences_are_short() -> None:
    texts = [
        (file.path, text) for file in project("dplda") for text in strings(file) if "\\" not in text
    ]
    assert len(texts) > 5000
    assert not [
        (path, sentence)
        for path, text in texts
        for sentence in ENDS.split(text)
        if len(sentence.split()) > LONGEST
    ]
    for path in (ROOT / "assets" / "docs").rglob("*.md"):
        text = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
        parts = re.split(r"(?<=[.!?:;|])\s+|\n\s*\n|\n- |\n#|\n\|", text)
        assert not [
            (path.name, sentence) for sentence in parts if len(sentence.split()) > LONGEST_IN_DOCS
        ]


VOCABULARY = re.compile(r"vocabulary|list|selected|release|topics", re.IGNORECASE)


def stated_words(file: Source, size: str) -> Iterator[str]:
    """Every text that gives this size as a number of words, with its name where it is filled in."""
    for node in file.nodes():
        if isinstance(node, ast.JoinedStr):
            text = "".join(
                str(part.value)
                if isinstance(part, ast.Constant)
                else f"<{ast.unparse(part.value)}>"
                for part in node.values
                if isinstance(part, ast.Constant | ast.FormattedValue)
            )
            if re.search(rf"\b{size}>[^<]{{0,3}}\bwords\b", text):
                yield text


def test_texts_with_n_words_speak_of_a_vocabulary() -> None:
    texts = [text for file in project("dplda") for text in stated_words(file, "n_words")]
    assert len(texts) > 5
    assert not [text for text in texts if not VOCABULARY.search(text)]


def test_texts_use_no_retired_phrase() -> None:
    for file in project("dplda"):
        assert not [text for text in strings(file) if RETIRED.search(text)], file.path
