"""Whose documents they are: read from a column, kept as numbers, part of what a corpus is."""

import io
from dataclasses import replace

import numpy as np
import pytest

from dplda.core.errors import CorpusError, ReadError
from dplda.corpus import Corpus, Label, load

ROWS = [
    ("Ann", "wolves hunt"),
    ("bo", "deer graze"),
    (" ANN ", "wolves graze"),
    ("Bo", "deer"),
    ("Åsa  B", "wolves"),
]
CSV = "author,text\n" + "\n".join(f"{who},{text}" for who, text in [*ROWS, ("Åsa b", "deer")])


def read(content: str, name: str = "mail.csv", person: str | None = "author", **options):
    return load(
        (name, io.BytesIO(content.encode())), label=Label.SENSITIVE, person=person, **options
    )


def test_persons_column_says_whose_a_document_is() -> None:
    corpus = read(CSV)
    assert corpus.persons.tolist() == [0, 1, 0, 1, 2, 2], (
        "case, width and white space make nobody two"
    )
    assert (corpus.n_documents, corpus.n_persons) == (6, 3)
    assert read(CSV, person=None).persons is read(CSV, person=None).n_persons is None
    lines = "".join(
        f'{{"author": {who}, "text": "wolves hunt"}}\n' for who in ('"ann"', "7", '"7"', '"ann"')
    )
    assert read(lines, "mail.jsonl").persons.tolist() == [0, 1, 1, 0], "a number is its digits"
    spellings = (
        "Al\u034fice",
        "Alice\ufe0f",
        "Alice\u3164",
        "Ali\ufff3ce",
        "ΑΛΊΚΗ ΐ",
        "Αλίκη ΐ".upper(),
        "Kim",
        "KIM",
    )
    spelled = read("author,text\n" + "".join(f"{name},wolves hunt\n" for name in spellings))
    assert spelled.persons.tolist() == [0, 0, 0, 0, 1, 1, 2, 2], (
        "what is not seen, and capitals, make nobody two"
    )


def test_document_of_nobody_is_refused() -> None:
    with pytest.raises(ReadError, match="document 2 does not name its person"):
        read("author,text\nann,wolves\n  ,deer\n")
    for value in ("null", "1.5", "true", '["canary"]', '{"canary": 1}'):
        with pytest.raises(
            ReadError, match=r"row 2: the person is .* where a string or a whole number is"
        ) as caught:
            read(
                f'{{"author": "a", "text": "wolves"}}\n{{"author": {value}, "text": "canary"}}\n',
                "a.jsonl",
            )
        assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("mail.txt", "wolves\ndeer\nelk\n"),
        ("docword.txt", "3\n2\n1\n1 1 1\n"),
        ("a.docx", ""),
        ("a.pdf", ""),
    ],
)
def test_formats_without_columns_say_so(name, content) -> None:
    with pytest.raises(ReadError, match="has no column that says who wrote"):
        read(content, name)


def test_persons_are_renumbered_in_order_of_first_document() -> None:
    given_persons = np.array([7, -2, 7, 40])
    corpus = Corpus.from_counts(
        np.ones((4, 2), dtype=int), label=Label.PUBLIC, name="farm", persons=given_persons
    )
    assert corpus.persons.tolist() == [0, 1, 0, 2]
    given_persons[0] = 0
    assert corpus.persons.tolist() == [0, 1, 0, 2]


def test_persons_of_a_corpus_are_read_only() -> None:
    given_persons = np.array([7, -2, 7, 40])
    corpus = Corpus.from_counts(
        np.ones((4, 2), dtype=int), label=Label.PUBLIC, name="farm", persons=given_persons
    )
    with pytest.raises(ValueError, match="read-only"):
        corpus.persons[0] = 1


def test_persons_are_part_of_the_digest() -> None:
    def digest(persons):
        return Corpus.from_counts(
            np.ones((3, 2), dtype=int), label=Label.PUBLIC, name="", persons=persons
        ).digest

    assert digest([0, 1, 2]) == digest([5, 9, 1])
    assert len({digest(None), digest([0, 1, 2]), digest([0, 0, 1]), digest([0, 1, 1])}) == 4
    corpus = read(CSV)
    assert replace(corpus, name="other").digest == corpus.digest


@pytest.mark.parametrize(
    "persons", [[0, 1], [[0], [1], [2]], [0.0, 1.0, 2.0], ["a", "b", "c"], [True, True, False]]
)
def test_persons_of_another_type_are_refused(persons) -> None:
    with pytest.raises(CorpusError, match="Give one whole number a document"):
        Corpus.from_counts(np.ones((3, 2), dtype=int), label=Label.PUBLIC, name="", persons=persons)
