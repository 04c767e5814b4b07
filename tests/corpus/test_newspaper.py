"""Newspapers that never were: every section can be read, told from the others and asked for; bad files are refused."""

from itertools import combinations

import numpy as np
import pytest

from dplda.core.errors import InputError, ReadError
from dplda.corpus import Label, Simulation, simulate
from dplda.corpus.simulation.newspaper import COMMON_SHARE, newspapers, read_newspaper

ENGLISH = dict(
    n_documents=3000,
    n_words=100,
    n_topics=3,
    alpha0=0.1,
    mean_length=60,
    seed=0,
    newspaper="english",
)


@pytest.mark.parametrize("name", newspapers())
def test_sections_have_words_of_their_own(name) -> None:
    paper = read_newspaper(name)
    assert len(paper.sections) >= 12 or name != "english"
    for section in paper.sections:
        assert 40 <= len(section.words) <= 100
        assert section.title
        shares = list(section.words.values())
        assert shares == sorted(shares, reverse=True)
    for first_section, second_section in combinations(paper.sections, 2):
        assert len(first_section.words.keys() & second_section.words.keys()) <= 5, (
            first_section.title,
            second_section.title,
        )
    assert not {
        word
        for word in paper.common.words
        if any(word in section.words for section in paper.sections)
    }


def test_documents_are_drawn_from_its_sections() -> None:
    corpus = simulate(**ENGLISH)
    assert corpus.label is Label.SIMULATED
    assert corpus.truth.titles == ("Weather", "Football", "Court")
    assert len(set(corpus.vocabulary)) == 100
    assert np.allclose(corpus.truth.topics.sum(axis=1), 1)
    common = [
        corpus.vocabulary.index(word)
        for word in read_newspaper("english").common.words
        if word in corpus.vocabulary
    ]
    assert np.allclose(corpus.truth.topics[:, common].sum(axis=1), COMMON_SHARE)
    word_shares = corpus.counts.sum(axis=0) / corpus.counts.sum()
    expected = corpus.truth.alpha @ corpus.truth.topics / corpus.truth.alpha.sum()
    assert (
        np.abs(word_shares - expected).sum() < 0.1
    )  # documents keep to one section: 3,000 draws of that, and no more
    assert (
        simulate(**ENGLISH).digest
        == corpus.digest
        != simulate(**ENGLISH | {"newspaper": ""}).digest
    )


def test_simulation_of_a_newspaper_draws_its_documents() -> None:
    assert Simulation(**ENGLISH).draw().digest == simulate(**ENGLISH).digest


def test_simulation_beyond_its_newspaper_is_refused() -> None:
    for change in ({"n_topics": 13}, {"n_words": 3}, {"n_words": 400}, {"newspaper": "../presets"}):
        with pytest.raises(InputError):
            Simulation(**ENGLISH | change)


def test_section_in_another_language_needs_its_file_alone(tmp_path, monkeypatch) -> None:
    """By CONTRIBUTING's instructions: a folder, a file a section."""
    folder = tmp_path / "newspapers" / "türkçe"
    folder.mkdir(parents=True)
    (folder / "1-hava.txt").write_text("# Hava\nyağmur 5\ngüneş 4\nrüzgâr 2\n", "utf-8")
    (folder / "2-futbol.txt").write_text("# Futbol\ngol 5\ntakım 4\nmaç 2\n", "utf-8")
    monkeypatch.setattr("dplda.core.assets.folder", lambda: tmp_path)
    assert newspapers() == ("türkçe",)
    corpus = simulate(**ENGLISH | {"n_topics": 2, "n_words": 6, "newspaper": "türkçe"})
    assert corpus.truth.titles == ("Hava", "Futbol")
    assert corpus.vocabulary == ("yağmur", "gol", "güneş", "takım", "rüzgâr", "maç")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("sun\n", "row 1"),
        ("sun 1\nrain -1", "row 2"),
        ("sun 1\nsun 2", "row 2"),
        ("sun nan", "row 1"),
        ("# Sun\n", ""),
    ],
)
def test_bad_newspaper_file_is_refused_at_its_row(text, place, tmp_path) -> None:
    folder = tmp_path / "bad"
    folder.mkdir()
    (folder / "a.txt").write_text(text)
    (folder / "b.txt").write_text("goal 1")
    with pytest.raises(ReadError, match=r"a\.txt") as refusal:
        read_newspaper("bad", tmp_path)
    assert place in str(refusal.value)
