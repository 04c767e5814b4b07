"""The public function: who talks about what, and how sure one can be."""

import numpy as np
import pytest

import dplda
from dplda.core.errors import CorpusError, InputError
from dplda.corpus.corpus import Corpus, Label
from dplda.methods.shares.groups import GroupAxis, Groups
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Caveat, Status

NAMES = ["north", "south"]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return dplda.simulate(
        n_documents=6_000, n_words=60, n_topics=3, alpha0=0.3, mean_length=40, seed=0
    )


@pytest.fixture(scope="module")
def model(corpus):
    return dplda.RefinedLDA(3, alpha0=0.3, epsilon=3.0).fit(corpus)


@pytest.fixture(scope="module")
def districts(corpus, model) -> np.ndarray:
    """The north talks more of topic 0: its documents are those with most of it."""
    own_share = model.transform(corpus)[:, 0]
    is_north = own_share + np.random.default_rng(0).normal(0, 0.5, len(own_share)) > 0.4
    return np.where(is_north, "north", "south")


@pytest.fixture(scope="module")
def by_district(model, corpus, districts):
    return dplda.topic_shares(model, corpus, districts, NAMES, epsilon=1.0)


def test_topic_shares_have_a_row_for_each_group_beside_others(by_district) -> None:
    assert by_district.groups == ("north", "south", "other")
    assert by_district.shares.shape == (3, 3)
    np.testing.assert_allclose(by_district.shares.sum(axis=1), 1)


def test_topic_shares_find_a_difference_that_is_there(by_district) -> None:
    assert by_district.probability_larger("north", "south", 0) > 0.99
    assert by_district.probability_larger("south", "north", 0) < 0.01
    assert by_district.probability_larger("south", "south", 0) == 0.5


def test_sizes_are_those_of_groups_up_to_their_noise(by_district, districts) -> None:
    true_sizes = [np.sum(districts == name) for name in NAMES]
    noise_of_sum = by_district.noise_std * np.sqrt(3)
    np.testing.assert_allclose(by_district.sizes[:2], true_sizes, atol=4 * noise_of_sum)


def test_interval_of_shares_widens_around_the_mean_with_its_level(by_district) -> None:
    low, high = by_district.interval(0.5)
    wide_low, wide_high = by_district.interval(0.99)
    assert np.all((wide_low <= low) & (low <= high) & (high <= wide_high))
    assert np.all((wide_low <= by_district.shares) & (by_district.shares <= wide_high))


def test_guarantee_is_of_the_table_beside_that_of_the_topics(by_district) -> None:
    assert by_district.guarantee.status is Status.PROVEN
    assert by_district.guarantee.epsilon == 1.0
    assert by_district.epsilon_with_topics == pytest.approx(3.19, abs=0.05)


def test_epsilon_of_shares_adds_in_squares_to_that_of_topics(corpus, districts) -> None:
    model = dplda.RefinedLDA(3, alpha0=0.3, epsilon=1.0).fit(corpus)
    shares = dplda.topic_shares(model, corpus, districts, NAMES, epsilon=0.3)
    assert shares.epsilon_with_topics == pytest.approx(1.053, abs=0.001)


def test_groups_that_are_taken_from_the_documents_are_not_private(model, corpus, districts) -> None:
    shares = dplda.topic_shares(model, corpus, districts, epsilon=1.0)
    assert shares.groups == ("north", "south", "other")
    assert Caveat.GROUPS in shares.guarantee.caveats
    assert shares.guarantee.status is Status.NOT_PRIVATE
    assert "not private" in shares.guarantee.in_words()
    assert shares.epsilon_with_topics is None


def test_pairs_of_labels_take_a_list_for_each_axis(model, corpus, districts) -> None:
    years = np.where(np.arange(len(districts)) % 2, "2001", "2002")
    groups = Groups((GroupAxis(tuple(NAMES)), GroupAxis(("2001", "2002"), is_ordered=True)))
    pairs = np.column_stack([districts, years])
    shares = dplda.topic_shares(model, corpus, pairs, groups, epsilon=1.0)
    assert shares.groups[0] == "north · 2001"
    assert shares.shares.shape == (5, 3)


def test_persons_are_protected_where_the_topics_protect_them(corpus) -> None:
    persons = np.arange(corpus.n_documents) // 4
    of_persons = Corpus.from_counts(
        corpus.counts,
        corpus.vocabulary,
        label=Label.PUBLIC,
        name="letters",
        vocabulary_source=corpus.vocabulary_source,
        persons=persons,
    )
    model = dplda.RefinedLDA(3, alpha0=0.3, epsilon=3.0).fit(of_persons.by_person())
    labels = np.resize(NAMES, corpus.n_documents)
    shares = dplda.topic_shares(model, of_persons, labels, NAMES, epsilon=1.0)
    assert shares.guarantee.adjacency is Adjacency.REPLACE_PERSON
    assert shares.sizes.sum() == pytest.approx(1_500, abs=150)
    with pytest.raises(CorpusError, match="nothing says whose"):
        dplda.topic_shares(model, corpus, labels, NAMES, epsilon=1.0)
    with pytest.raises(CorpusError, match="These rows are persons"):
        dplda.topic_shares(model, of_persons.by_person(), labels, NAMES, epsilon=1.0)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"groups": ["north"]}, InputError),
        ({"groups": np.zeros((6_000, 3))}, InputError),
        ({"public_groups": "north"}, InputError),
        ({"public_groups": []}, InputError),
        ({"public_groups": [f"g{number}" for number in range(5_000)]}, InputError),
        ({"epsilon": 0.0}, InputError),
        ({"epsilon": float("nan")}, InputError),
        ({"delta": 1.0}, InputError),
    ],
)
def test_topic_shares_refuse_what_is_out_of_range(model, corpus, districts, changes, error) -> None:
    arguments = {"groups": districts, "public_groups": NAMES, "epsilon": 1.0} | changes
    with pytest.raises(error):
        dplda.topic_shares(model, corpus, **arguments)


def test_topic_shares_refuse_documents_of_other_words(model, districts) -> None:
    other_corpus = dplda.simulate(
        n_documents=6_000, n_words=50, n_topics=3, alpha0=0.3, mean_length=40, seed=0
    )
    with pytest.raises(CorpusError, match="50 words, and the topics 60"):
        dplda.topic_shares(model, other_corpus, districts, NAMES, epsilon=1.0)


def test_share_whose_interval_covers_all_groups_is_vague(model, corpus, districts) -> None:
    vague = dplda.topic_shares(model, corpus, districts, NAMES, epsilon=0.001)
    assert np.all(vague.is_vague[:2])


def test_share_with_a_difference_that_is_there_is_not_vague(by_district) -> None:
    assert not np.any(by_district.is_vague[:2, 0])
