"""Coherence by hand, beside gensim's, and where gensim divides by zero."""

import warnings

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.evaluation import npmi
from tests.tiny_corpora import counts_of, random_rows

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of gensim's own imports
    from gensim.corpora import Dictionary
    from gensim.models import CoherenceModel

N_WORDS, N_LEADING = 30, 6


def documents():
    """Some empty, some of one word, all words seen, no word in every document."""
    rows = random_rows(3, 120, N_WORDS, 25)
    rows[:3] = 0
    return rows


def by_gensim(topics, rows):
    names = [f"w{column:02}" for column in range(N_WORDS)]
    texts = [
        [name for name, times in zip(names, row, strict=True) for _ in range(times)] for row in rows
    ]
    leading = [
        [names[column] for column in np.argsort(-topic, kind="stable")[:N_LEADING]]
        for topic in topics
    ]
    # Documents are bags: a window wider than the longest covers each of them whole, so a window is a document.
    gensim_model = CoherenceModel(
        topics=leading,
        texts=texts,
        dictionary=Dictionary(texts),
        coherence="c_npmi",
        window_size=1 + max(map(len, texts)),
        topn=N_LEADING,
        processes=1,
    )
    return np.array(gensim_model.get_coherence_per_topic())


def test_npmi_equals_gensims() -> None:
    rows = documents()
    topics = np.random.default_rng(0).dirichlet(np.full(N_WORDS, 0.5), size=5)
    coherence = npmi(topics, counts_of(rows), n_words=N_LEADING)
    assert coherence.by_topic == pytest.approx(by_gensim(topics, rows), abs=1e-6)
    assert coherence.mean == pytest.approx(np.mean(coherence.by_topic))


def test_npmi_reaches_its_ends() -> None:
    counts = counts_of([[1, 1, 0, 1], [2, 1, 0, 1], [0, 0, 1, 1], [0, 0, 0, 1]])
    together, separate_words, always = np.array(
        [[0.6, 0.4, 0, 0], [0.6, 0, 0.4, 0], [0, 0, 0, 1.0]]
    )
    assert npmi(together[None], counts, n_words=2).by_topic[0] == pytest.approx(1)
    # −1 but for the ε in the share of documents with both words
    assert npmi(separate_words[None], counts, n_words=2).by_topic[0] == pytest.approx(-1, abs=0.1)
    everywhere = counts_of([[1, 1, 0], [1, 1, 1], [2, 1, 0]])
    assert npmi(np.array([[0.5, 0.5, 0]]), everywhere, n_words=2).by_topic[0] == 1
    assert np.isnan(npmi(always[None], counts, n_words=2).by_topic[0])


def test_words_seen_nowhere_are_the_worst_there_is() -> None:
    counts = counts_of([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 1]])
    assert npmi(np.array([[0.4, 0, 0.6, 0]]), counts, n_words=2).by_topic[0] == -1


def test_words_of_probability_zero_never_lead() -> None:
    counts = counts_of(documents())
    topic = np.zeros((1, N_WORDS))
    topic[0, [4, 7, 9]] = 0.5, 0.3, 0.2
    assert npmi(topic, counts, n_words=10).by_topic == pytest.approx(
        npmi(topic, counts, n_words=3).by_topic
    )
    single = np.vstack([topic, np.eye(N_WORDS)[:1]])
    assert npmi(single, counts, n_words=3).mean == npmi(topic, counts, n_words=3).mean
    assert np.isnan(npmi(single[1:], counts, n_words=3).mean)


def test_npmi_of_bad_input_is_refused() -> None:
    counts, topics = counts_of([[1, 0], [1, 1], [0, 1]]), np.full((2, 2), 0.5)
    for n_words in (1, 3):
        with pytest.raises(InputError, match="n_words"):
            npmi(topics, counts, n_words=n_words)
    with pytest.raises(InputError, match="topics"):
        npmi(np.full((2, 3), 1 / 3), counts, n_words=2)
