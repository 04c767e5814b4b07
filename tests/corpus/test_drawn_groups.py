"""Districts and months of simulated documents."""

from dataclasses import replace

import numpy as np
import pytest

from dplda.core.errors import CorpusError
from dplda.corpus import simulate
from dplda.corpus.simulation.drawn_groups import GroupDraw, _districts
from dplda.corpus.simulation.simulate import draw_counts

SIZE = dict(n_documents=20_000, n_words=12, n_topics=3, alpha0=0.5, mean_length=8, seed=5)


@pytest.fixture(scope="module")
def corpus():
    return simulate(**SIZE)


def test_documents_are_the_same_bits_as_without_groups(corpus):
    rng = np.random.default_rng(SIZE["seed"]).spawn(2)[1]
    sizes = rng.poisson(SIZE["mean_length"], SIZE["n_documents"])
    counts = draw_counts(corpus.truth, sizes, rng=rng)
    assert (counts != corpus.counts).nnz == 0


def test_true_shares_are_those_of_the_model(corpus):
    districts, _ = corpus.truth.groups
    alpha = corpus.truth.alpha / corpus.truth.alpha.sum()
    # Of documents without mixing, a word's topic decides its district; the words of a document
    # agree in a share ρ of pairs, for Poisson lengths averaged over the lengths met.
    lengths = corpus.lengths[corpus.lengths > 0]
    agreement = np.mean(1 / lengths + (1 - 1 / lengths) / (1 + SIZE["alpha0"]))
    pairs = agreement * np.diag(alpha) + (1 - agreement) * np.outer(alpha, alpha)
    expected = _districts(3).T @ pairs
    expected /= expected.sum(axis=1, keepdims=True)
    sizes = np.bincount(districts.column.codes)
    assert np.all(np.abs(districts.shares - expected) <= 2 / np.sqrt(sizes)[:, None])


def test_true_shares_differ_between_districts_by_more_than_their_scatter(corpus):
    north, south = corpus.truth.groups[0].shares[:2]
    assert north[0] - south[0] > 0.1
    assert south[1] - north[1] > 0.1


def test_labels_of_a_simulated_corpus_are_read_by_column_name(corpus):
    assert set(corpus.labels_in("district")) == {"North", "South", "East", "West"}
    assert len(set(corpus.labels_in("month"))) == 12


def test_part_of_the_documents_has_no_labels_instead_of_wrong_ones(corpus):
    part = replace(corpus, counts=corpus.counts[:100])
    assert part.columns_to_group_by == ()
    with pytest.raises(CorpusError, match="No labels"):
        part.labels_in("district")


def test_groups_drawn_in_chunks_are_those_drawn_at_once():
    topic_counts = np.random.default_rng(1).multinomial(9, [0.2, 0.3, 0.5], size=300)
    at_once = GroupDraw.of_newspaper(3, rng=np.random.default_rng(2))
    in_chunks = GroupDraw.of_newspaper(3, rng=np.random.default_rng(2))
    at_once.add(topic_counts)
    for chunk in np.split(topic_counts, [7, 250]):
        in_chunks.add(chunk)
    for group_of_all, group_of_chunks in zip(at_once.finish(), in_chunks.finish(), strict=True):
        assert np.array_equal(group_of_all.column.codes, group_of_chunks.column.codes)
        assert group_of_all.shares == pytest.approx(group_of_chunks.shares)
