"""Documents set aside: a partition, by seed, with everything else as it was."""

from dataclasses import replace

import numpy as np
import pytest

from dplda.core.errors import CorpusError
from dplda.corpus import Corpus, Label, VocabularySource
from dplda.corpus.group_columns import GroupColumn
from dplda.evaluation import hold_out
from tests.tiny_corpora import corpus_of, random_rows, topical_corpus


def test_held_out_parts_partition_the_documents() -> None:
    corpus = corpus_of(random_rows(0, 50, 6, 12))
    parts = hold_out(corpus, fraction=0.3, seed=1)
    kept_rows = np.setdiff1d(np.arange(50), parts.rows)
    assert len(parts.rows) == len(set(parts.rows.tolist())) == 15
    assert parts.train.n_documents == 35
    all_counts = np.zeros((50, 6), dtype=int)
    all_counts[parts.rows] = parts.test.toarray()
    all_counts[kept_rows] = parts.train.counts.toarray()
    assert np.array_equal(all_counts, corpus.counts.toarray())


def test_held_out_rows_depend_on_the_seed_alone() -> None:
    corpus = corpus_of(random_rows(0, 50, 6, 12))
    parts = hold_out(corpus, fraction=0.3, seed=1)
    repeated_rows, rows_of_other_seed = (
        hold_out(corpus, fraction=0.3, seed=seed).rows for seed in (1, 4)
    )
    assert np.array_equal(repeated_rows, parts.rows)
    assert not np.array_equal(rows_of_other_seed, parts.rows)


def test_held_out_corpus_keeps_all_but_the_documents() -> None:
    simulated = topical_corpus(0, n_documents=40)
    train = hold_out(simulated, fraction=0.1, seed=0).train
    assert (train.label, train.name, train.truth) == (
        Label.SIMULATED,
        simulated.name,
        simulated.truth,
    )
    assert train.digest != simulated.digest
    sensitive = Corpus.from_counts(
        np.eye(6, dtype=int), list("abcdef"), label=Label.SENSITIVE, name="diaries"
    )
    train = hold_out(sensitive, fraction=0.2, seed=0).train
    assert train.label is Label.SENSITIVE
    assert train.vocabulary == sensitive.vocabulary
    assert train.vocabulary_source is VocabularySource.FROM_DATA


def test_hold_out_takes_documents_equally_often() -> None:
    corpus = corpus_of(random_rows(0, 8, 4, 5))
    n_seeds = 800
    times = np.bincount(
        np.concatenate([hold_out(corpus, fraction=0.25, seed=s).rows for s in range(n_seeds)])
    )
    five_sigma = 5 * np.sqrt(n_seeds * 0.25 * 0.75)
    assert np.all(np.abs(times - n_seeds / 4) < five_sigma)


@pytest.mark.parametrize(("n_documents", "fraction"), [(10, 0.04), (10, 0.8), (4, 0.5), (3, 0.3)])
def test_hold_out_of_too_few_documents_is_refused(n_documents: int, fraction: float) -> None:
    corpus = corpus_of(random_rows(0, n_documents, 4, 5))
    with pytest.raises(CorpusError, match=f"of {n_documents} documents") as caught:
        hold_out(corpus, fraction=fraction, seed=0)
    assert caught.value.fix


def test_training_documents_after_hold_out_keep_their_columns() -> None:
    corpus = replace(
        corpus_of(random_rows(0, 10, 4, 5)),
        group_columns=(GroupColumn("district", ("East", "West"), np.array([0, 1] * 5, np.int32)),),
        persons=np.repeat(np.arange(5), 2),
    )
    held_out = hold_out(corpus, fraction=0.2, seed=0)
    train_rows = np.setdiff1d(np.arange(10), held_out.rows)
    assert held_out.train.labels_in("district") == [
        corpus.labels_in("district")[row] for row in train_rows
    ]
    assert held_out.train.persons is not None
    same_author = held_out.train.persons[:, None] == held_out.train.persons
    np.testing.assert_array_equal(same_author, (train_rows // 2)[:, None] == train_rows // 2)
