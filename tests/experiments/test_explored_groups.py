"""Groups listed from labels of public and simulated documents."""

from dataclasses import replace

import numpy as np
import pytest

from dplda.core.errors import CorpusError
from dplda.corpus import Corpus, Label, simulate
from dplda.corpus.group_columns import GroupColumn
from dplda.experiments.explored_groups import MAX_LISTED, list_groups

LETTERS = Corpus.from_counts(np.ones((6, 3), dtype=int), label=Label.PUBLIC, name="letters")


def labelled(*labels: str) -> Corpus:
    values = tuple(dict.fromkeys(labels))
    codes = np.array([values.index(label) for label in labels], dtype=np.int32)
    return replace(LETTERS, group_columns=(GroupColumn("place", values, codes),))


def test_list_groups_of_names_keeps_their_order():
    explored = list_groups(labelled("b", "a", "", "b", "other", "a"), "")
    assert explored.groups.labels == ("b", "a", "other")
    assert explored.rows.tolist() == [0, 1, 2, 0, 2, 1]
    assert not explored.is_time
    assert not explored.is_public


def test_list_groups_of_days_has_every_month_between():
    explored = list_groups(
        labelled("2024-03-01", "2024-01-31", "", "x" * 0, "2024-03", "2024-03-09"), "place"
    )
    assert explored.groups.labels == ("2024-01", "2024-02", "2024-03", "other")
    assert explored.rows.tolist() == [2, 0, 3, 3, 2, 2]
    assert explored.is_time


def test_list_groups_of_many_months_has_years():
    explored = list_groups(
        labelled("2001-03", "2009-01", "2001", "2001-05", "2001", "2002"), "place"
    )
    assert explored.groups.labels[:2] == ("2001", "2002")
    assert explored.groups.labels[-2:] == ("2009", "other")


def test_list_groups_of_numbers_with_four_digits_takes_them_as_names():
    explored = list_groups(labelled("9001", "0007", "9001", "1999", "2001", "2002"), "place")
    assert not explored.is_time
    assert "0007" in explored.groups.labels


def test_list_groups_of_too_many_names_lists_the_most_frequent():
    names = [f"n{number}" for number in range(60)]
    corpus = Corpus.from_counts(np.ones((120, 3), dtype=int), label=Label.PUBLIC, name="many")
    codes = np.array([*range(60), *[59] * 60], dtype=np.int32)
    corpus = replace(corpus, group_columns=(GroupColumn("place", tuple(names), codes),))
    explored = list_groups(corpus, "place")
    assert len(explored.groups.labels) == MAX_LISTED + 1
    assert explored.groups.labels[0] == "n59"
    assert explored.n_unlisted == 60 - MAX_LISTED


def test_list_groups_of_simulated_documents_is_public():
    corpus = simulate(n_documents=50, n_words=9, n_topics=2, alpha0=1.0, mean_length=9, seed=0)
    explored = list_groups(corpus, "month")
    assert explored.is_public
    assert explored.is_time
    assert explored.groups.n_rows == 13
    assert list_groups(corpus, "").column == "district"


@pytest.mark.parametrize(
    ("corpus", "column", "problem"),
    [
        (LETTERS, "", "no labels to group by"),
        (labelled(*"abcabc"), "time", "no column of that name"),
        (labelled(*[""] * 6), "place", "No document has a label"),
    ],
)
def test_list_groups_without_labels_says_what_to_do(corpus, column, problem):
    with pytest.raises(CorpusError, match=problem):
        list_groups(corpus, column)
