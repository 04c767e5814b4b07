"""Twins in real words: as many themes as topics, people with several documents, no private number."""

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.corpus.simulation.newspaper import read_newspaper
from dplda.corpus.simulation.real_word_twin import RealWordTwin, max_themes, split_into_themes
from dplda.corpus.words.vocabulary import english_words
from dplda.evaluation.themes import find_themes
from dplda.spectral.topics import Topics

TWIN = RealWordTwin(n_rows=400, n_words=500, n_topics=6, alpha0=0.1, mean_length=20)


def as_topics(words) -> Topics:
    return Topics.without_spectrum(words, np.full(len(words), 0.1), words.mean(axis=0))


def test_twin_has_the_public_size() -> None:
    corpus = TWIN.draw()
    assert corpus.counts.shape == (400, 500)
    assert corpus.counts.sum() / 400 == pytest.approx(20, rel=0.1)


def test_twin_with_a_long_list_fills_it_with_listed_words_that_nobody_uses() -> None:
    twin = RealWordTwin(n_rows=50, n_words=5000, n_topics=3, alpha0=0.1, mean_length=20)
    corpus = twin.draw()
    assert set(corpus.vocabulary[400:]) <= set(english_words())
    assert not corpus.counts[:, 400:].sum()


def test_twin_of_persons_has_several_documents_each() -> None:
    twin = RealWordTwin(
        n_rows=400, n_words=300, n_topics=3, alpha0=0.1, mean_length=20, documents_per_row=3
    )
    lengths = np.asarray(twin.draw().counts.sum(axis=1)).ravel()
    assert lengths.mean() == pytest.approx(60, rel=0.1)
    assert lengths.var() > 1.5 * lengths.mean(), "the number of documents varies"


@pytest.mark.parametrize(
    ("is_geometric", "share_of_one_document"),
    [(True, 1 / 3), (False, np.exp(-2))],
)
def test_twin_of_persons_has_as_many_who_wrote_once_as_its_law_says(
    is_geometric, share_of_one_document
) -> None:
    twin = RealWordTwin(
        n_rows=3000,
        n_words=300,
        n_topics=3,
        alpha0=0.1,
        mean_length=100,
        documents_per_row=3,
        is_geometric=is_geometric,
    )
    lengths = np.asarray(twin.draw().counts.sum(axis=1)).ravel()
    assert lengths.mean() == pytest.approx(300, rel=0.1)
    assert np.mean(lengths < 145) == pytest.approx(share_of_one_document, abs=0.03)


def test_twin_draws_the_same_documents_for_the_same_numbers() -> None:
    assert (TWIN.draw().counts != TWIN.draw().counts).nnz == 0


@pytest.mark.parametrize("n_topics", [2, 12, 13, 40])
def test_themes_share_no_word_of_one_section(n_topics) -> None:
    newspaper = read_newspaper("english")
    themes = split_into_themes(newspaper, n_topics)
    assert len(themes) == n_topics == len({theme.title for theme in themes})
    n_sections = len(newspaper.sections)
    for place, theme in enumerate(themes):
        for other_theme in themes[place + n_sections :: n_sections]:
            assert not theme.words.keys() & other_theme.words.keys()


def test_twin_with_more_themes_than_words_is_refused() -> None:
    with pytest.raises(InputError, match="n_topics"):
        RealWordTwin(n_rows=400, n_words=500, n_topics=max_themes() + 1, alpha0=0.1, mean_length=20)


def test_find_themes_in_the_true_topics_finds_all() -> None:
    corpus = TWIN.draw()
    topics = as_topics(corpus.truth.topics)
    words = [theme.words for theme in TWIN.themes]
    assert find_themes(topics, corpus.vocabulary, words) == (True,) * 6


def test_find_themes_in_equal_topics_finds_none() -> None:
    corpus = TWIN.draw()
    mean = corpus.truth.topics.mean(axis=0)
    topics = as_topics(np.tile(mean, (6, 1)))
    words = [theme.words for theme in TWIN.themes]
    assert sum(find_themes(topics, corpus.vocabulary, words)) <= 1
