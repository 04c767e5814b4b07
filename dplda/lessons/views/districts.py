"""Two districts of a newspaper, and what a noisy table of topic shares tells of them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from scipy.special import ndtri

from dplda import figures
from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.types import Matrix, Report, Vector
from dplda.corpus import Corpus, Simulation
from dplda.corpus.simulation.drawn_groups import DISTRICT_SIZES
from dplda.figures import Figure, ShareOfGroup, theme
from dplda.lessons.views.picture import Picture, PictureView
from dplda.methods.base.guarantees import not_private_guarantee
from dplda.methods.base.runtime import Runtime
from dplda.methods.shares.groups import GroupAxis, Groups
from dplda.methods.shares.share_posterior import draw_share_tables
from dplda.methods.shares.share_result import TopicShares
from dplda.methods.shares.share_table import share_bound
from dplda.methods.shares.topic_shares import add_noise
from dplda.privacy.accounting import gaussian
from dplda.privacy.bounded_sum import BoundedSum

N_TOPICS = 3
FAVORITE = 0  # the topic that the first district writes about most
NORTH, SOUTH = 0, 1
SURE = 0.95  # part of the possible tables from which a release is sure
OFTEN = 0.9  # part of the releases that should be sure
N_RELEASES = 100
N_TABLES = 100  # a comparison is said as so many of them
GIVEN_TOPICS = not_private_guarantee("the topics are given here.")


@dataclass(frozen=True)
class SharesOfDistricts(PictureView):
    """Shares of a topic by district in possible tables; or bars of what topics and table cost.

    Attributes:
        n_documents: number of letters.
        n_districts: districts of the table, which adds the others up.
        epsilon: ε of the table.
        topics_epsilon: ε of the topics, which are given here.
        delta: δ of either.
        repeated: whether the title says how many releases like this one are sure.
        enough: whether the title says at which ε nine in ten are; it goes before ``repeated``.
        price: whether the figure is bars of ε.
    """

    number_meanings: ClassVar = {
        "larger": "part of the possible tables in which the topic is larger in the North",
        "power": "part of releases like this one in which at least 95 of 100 tables agree on that",
        "needed": "ε of the table at which nine in ten releases are sure",
        "noise": "standard deviation of the noise in each cell, in letters",
        "noise_ratio": "that noise over the noise of a table with two districts",
        "north": "true share of the topic in the North",
        "south": "true share of the topic in the South",
        "letters_north": "letters from the North",
        "letters_south": "letters from the South",
        "together": "ε of the topics and the table together",
        "sum": "sum of the two ε",
    }
    depends_on_seed: ClassVar = True

    n_documents: int = 4_000
    n_districts: int = 2
    epsilon: float = 0.3
    topics_epsilon: float = 1.0
    delta: float = 1e-7
    repeated: bool = False
    enough: bool = False
    price: bool = False

    def __post_init__(self) -> None:
        """Refuse an ε, a δ, or a number of districts or letters that is out of its range."""
        checks.epsilon(self.epsilon)
        checks.epsilon(self.topics_epsilon)
        checks.delta(self.delta)
        if not 2 <= self.n_districts <= len(DISTRICT_SIZES):
            limit = f"from 2 to {len(DISTRICT_SIZES)}"
            raise InputError("n_districts", limit, str(self.n_districts))
        _ = self._simulation

    @property
    def _simulation(self) -> Simulation:
        """``n_documents`` letters of the newspaper, without districts; all other numbers are fixed.

        Raises:
            InputError: ``n_documents`` is refused.
        """
        return Simulation(
            n_documents=self.n_documents,
            n_words=100,
            n_topics=N_TOPICS,
            alpha0=0.1,
            mean_length=60,
            newspaper="english",
        )

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Draw letters and the table's noise, and count in the tables that are possible then.

        The letters are always the same; the seed is that of the noise. ``larger`` is never 1: it
        stops one table of ``N_TABLES`` short of it. The figure shows shares of one topic by
        district or, where the price is asked for, what topics and table cost together.
        """
        report(0.1, f"Drawing {self.n_documents:,} letters")
        corpus = _draw_letters(self._simulation)
        true_table = _district_table(corpus, self.n_districts)
        sensitivity = share_bound(self.n_documents, N_TOPICS).sensitivity(is_exact=False)
        topic_shares = add_noise(
            BoundedSum(true_table.letters_by_topic, sensitivity),
            Groups((GroupAxis(true_table.districts),)),
            corpus,
            Runtime(seed),
            epsilon=self.epsilon,
            delta=self.delta,
            has_public_groups=True,
            topics_guarantee=GIVEN_TOPICS,
        )
        report(0.5, f"Drawing the noise of {N_RELEASES} releases")
        topics_mu = gaussian.mu_for(self.topics_epsilon, self.delta)
        table_mu = gaussian.mu_for(self.epsilon, self.delta)
        probability_larger = topic_shares.probability_larger(NORTH, SOUTH, FAVORITE)
        numbers = {
            "larger": min(probability_larger, 1 - 1 / N_TABLES),
            "power": _share_of_sure_releases(
                self._simulation, self.n_districts, topic_shares.noise_std
            ),
            "needed": _needed_epsilon(true_table, sensitivity, self.delta),
            "noise": topic_shares.noise_std,
            "noise_ratio": topic_shares.noise_std * table_mu / sensitivity,
            "north": float(true_table.shares[NORTH, FAVORITE]),
            "south": float(true_table.shares[SOUTH, FAVORITE]),
            "letters_north": float(true_table.letters[NORTH]),
            "letters_south": float(true_table.letters[SOUTH]),
            "together": gaussian.epsilon_for(gaussian.compose([topics_mu, table_mu]), self.delta),
            "sum": self.topics_epsilon + self.epsilon,
        }
        if self.price:
            return Picture(numbers, self._draw_price(numbers["together"]))
        assert corpus.truth is not None
        title = self._title(numbers, corpus.truth.titles[FAVORITE])
        return Picture(numbers, _draw_shares(topic_shares, true_table.shares, title))

    def _draw_price(self, epsilon_together: float) -> Figure:
        """Bars of the ε of topics, of the table, and of both together."""
        bars = {
            "topics": self.topics_epsilon,
            "table": self.epsilon,
            "together": epsilon_together,
        }
        title = (
            f"ε = {self.topics_epsilon:g} and ε = {self.epsilon:g} make"
            f" ε = {epsilon_together:.4g} together"
        )
        return figures.compared(bars, title=title, x_title="privacy budget ε")

    def _title(self, numbers: Mapping[str, float], topic_title: str) -> str:
        """The finding for ``enough`` or ``repeated``, else how often the topic is larger.

        How often is the share ``numbers["larger"]`` as a whole number of ``N_TABLES`` tables. The
        sentence is the same for none and for all.
        """
        if self.enough:
            return (
                f"ε = {numbers['needed']:.2g} is enough: {numbers['power']:.0%} of such releases"
                " are sure"
            )
        if self.repeated:
            return f"{numbers['power']:.0%} of releases like this one are sure"
        n_tables = round(N_TABLES * numbers["larger"])
        return f"{topic_title} is larger in the North in {n_tables} of {N_TABLES} possible tables"


@dataclass(frozen=True, slots=True, eq=False)
class _DistrictTable:
    """Letters by district and topic, without noise.

    Attributes:
        letters_by_topic: shape (districts + 1, k), the other districts added up in the last row.
        shares: shape (districts, k), each district's share of the topics.
        districts: names.
    """

    letters_by_topic: Matrix
    shares: Matrix
    districts: tuple[str, ...]

    @property
    def letters(self) -> Vector:
        """Letters of each row, of all topics."""
        return np.asarray(self.letters_by_topic.sum(axis=1))


def _draw_shares(topic_shares: TopicShares, true_shares: Matrix, title: str) -> Figure:
    """The favorite topic's share in each district of the table, without the row of the others.

    Each has its mean, range, some twenty possible tables, and the true share. There must be at
    least twenty possible tables.
    """
    low, high = topic_shares.interval()
    draw_step = len(topic_shares.draws) // 20
    shares_of_districts = [
        ShareOfGroup(
            group=district,
            mean=float(topic_shares.shares[row, FAVORITE]),
            low=float(low[row, FAVORITE]),
            high=float(high[row, FAVORITE]),
            draws=topic_shares.draws[::draw_step, row, FAVORITE],
            is_vague=bool(topic_shares.is_vague[row, FAVORITE]),
            truth=float(true_shares[row, FAVORITE]),
        )
        for row, district in enumerate(topic_shares.groups[:-1])
    ]
    return figures.share_dots(
        shares_of_districts, title=title, colour=theme.topic_colour(FAVORITE + 1), axis_end=1.0
    )


@lru_cache(4)
def _draw_letters(simulation: Simulation) -> Corpus:
    """The simulation's corpus; the last ones are kept."""
    return simulation.draw()


def _district_table(corpus: Corpus, n_districts: int) -> _DistrictTable:
    """The table of a simulated corpus: shares that it was drawn with, times letters.

    Districts from ``n_districts`` on make one last row of letters. Shares and names are of the
    others alone.
    """
    assert corpus.truth is not None
    groups = corpus.truth.groups[0]
    letters_by_district = np.bincount(groups.column.codes, minlength=len(groups.shares))
    letters_by_topic = groups.shares * letters_by_district[:, None]
    other_letters = letters_by_topic[n_districts:].sum(axis=0)
    return _DistrictTable(
        letters_by_topic=np.vstack([letters_by_topic[:n_districts], other_letters]),
        shares=groups.shares[:n_districts],
        districts=groups.column.values[:n_districts],
    )


def _needed_epsilon(true_table: _DistrictTable, sensitivity: float, delta: float) -> float:
    """ε at which nine in ten tables surely show a larger share in the North, before smoothing.

    The share is that of the topic ``FAVORITE``; sure is with probability ``SURE``. The difference
    of the noisy shares of North and South has standard deviation σ √(1/n² + 1/m²).

    Args:
        true_table: letters by district, and their true shares.
        sensitivity: L2 sensitivity of the table of letters.
        delta: δ of the table.
    """
    quantile_sum = ndtri(SURE) + ndtri(OFTEN)
    letters = true_table.letters
    std_per_sigma = math.hypot(1 / letters[NORTH], 1 / letters[SOUTH])
    north_share = true_table.shares[NORTH, FAVORITE]
    south_share = true_table.shares[SOUTH, FAVORITE]
    difference = float(north_share - south_share)
    noise_std = difference / (quantile_sum * std_per_sigma)
    return float(gaussian.epsilon_for(sensitivity / noise_std, delta))


@lru_cache(32)
def _share_of_sure_releases(simulation: Simulation, n_districts: int, noise_std: float) -> float:
    """Part of releases with this noise in which 95 of 100 possible tables find the North larger.

    Always the same releases, from seeds of their own; results of the last arguments are cached.
    """
    letters_by_topic = _district_table(_draw_letters(simulation), n_districts).letters_by_topic
    rng = np.random.default_rng(0)
    n_sure = 0
    for release in range(N_RELEASES):
        noise = rng.normal(0, noise_std, letters_by_topic.shape)
        noisy_table = letters_by_topic + noise
        tables = draw_share_tables(noisy_table, noise_std, n_draws=N_TABLES, seed=release)
        is_north_larger = tables[:, NORTH, FAVORITE] > tables[:, SOUTH, FAVORITE]
        share_larger = np.mean(is_north_larger)
        n_sure += bool(share_larger >= SURE)
    return n_sure / N_RELEASES
