import numpy as np
import pytest

from dplda.corpus import count_matrix as tally_module
from dplda.corpus.count_matrix import WordTally

DOCUMENTS = [["ant", "bee", "ant"], [], ["cow"], ["bee", "dog", "dog", "dog"]]


@pytest.fixture(params=[1, 3, 1000])
def block_size(request, monkeypatch):
    monkeypatch.setattr(tally_module, "_TOKENS_AT_ONCE", request.param)


@pytest.mark.usefixtures("block_size")
def test_counts_of_words_met():
    tally = WordTally()
    for words in DOCUMENTS:
        tally.add(words)
    assert tally.words == ("ant", "bee", "cow", "dog")
    assert tally.counts(np.arange(4)).toarray().tolist() == [[2, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 3]]
    assert tally.document_frequency().tolist() == [1, 2, 1, 1]
    assert tally.counts(np.array([3, 0])).toarray().tolist() == [[0, 2], [0, 0], [0, 0], [3, 0]]


def test_counting_goes_on_after_a_look():
    tally = WordTally()
    tally.add(["ant"])
    assert tally.document_frequency().tolist() == [1]
    tally.add(["bee", "ant"])
    assert tally.counts(np.arange(2)).toarray().tolist() == [[1, 0], [1, 1]]


def test_a_million_words_take_blocks():
    rng = np.random.default_rng(0)
    names = np.array([f"w{index}" for index in range(50)])
    tally = WordTally()
    draws = rng.integers(0, 50, size=(12_000, 100))
    for row in draws:
        tally.add(names[row].tolist())
    counts = tally.counts(np.arange(50))
    assert counts.shape == (12_000, 50)
    column = tally.words.index("w7")
    assert (counts[:, [column]].toarray().ravel() == (draws == 7).sum(axis=1)).all()
