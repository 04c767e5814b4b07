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
from dplda.core.types import Matrix, Report
from dplda.corpus import Corpus, Simulation
from dplda.corpus.simulation.drawn_groups import DISTRICT_SIZES
from dplda.figures import Figure, ShareOfGroup, theme
from dplda.lessons.views.picture import Picture, PictureView
from dplda.methods.base.guarantees import not_private_guarantee
from dplda.methods.base.runtime import Runtime
from dplda.methods.shares.groups import GroupAxis, Groups
from dplda.methods.shares.share_posterior import draw_share_tables
from dplda.methods.shares.share_table import share_bound
from dplda.methods.shares.topic_shares import TopicShares, add_noise
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

    With ``repeated`` the title says how many releases like this one are sure, and with ``enough``
    at which ε nine in ten are.
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
        checks.epsilon(self.epsilon)
        checks.epsilon(self.topics_epsilon)
        checks.delta(self.delta)
        if not 2 <= self.n_districts <= len(DISTRICT_SIZES):
            limit = f"from 2 to {len(DISTRICT_SIZES)}"
            raise InputError("n_districts", limit, str(self.n_districts))
        _ = self._simulation

    @property
    def _simulation(self) -> Simulation:
        return Simulation(
            n_documents=self.n_documents,
            n_words=100,
            n_topics=N_TOPICS,
            alpha0=0.1,
            mean_length=60,
            newspaper="english",
        )

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Draw letters and the table's noise, and count in the tables that are possible then."""
        report(0.1, f"Drawing {self.n_documents:,} letters")
        corpus = _draw_letters(self._simulation)
        table, shares, labels = _district_table(corpus, self.n_districts)
        letters = table.sum(axis=1)
        difference = float(shares[NORTH, FAVORITE] - shares[SOUTH, FAVORITE])
        sensitivity = share_bound(self.n_documents, N_TOPICS).sensitivity(is_exact=False)
        needed = _needed_epsilon(letters, difference, sensitivity, self.delta)
        groups = Groups((GroupAxis(labels),))
        private = add_noise(
            BoundedSum(table, sensitivity),
            groups,
            corpus,
            Runtime(seed),
            epsilon=self.epsilon,
            delta=self.delta,
            has_public_groups=True,
            topics_guarantee=GIVEN_TOPICS,
        )
        report(0.5, f"Drawing the noise of {N_RELEASES} releases")
        mus = [gaussian.mu_for(each, self.delta) for each in (self.topics_epsilon, self.epsilon)]
        numbers = {
            "larger": min(private.probability_larger(NORTH, SOUTH, FAVORITE), 1 - 1 / N_TABLES),
            "power": _power(self._simulation, self.n_districts, private.noise_std),
            "needed": needed,
            "noise": private.noise_std,
            "noise_ratio": private.noise_std * mus[1] / sensitivity,
            "north": float(shares[NORTH, FAVORITE]),
            "south": float(shares[SOUTH, FAVORITE]),
            "letters_north": float(letters[NORTH]),
            "letters_south": float(letters[SOUTH]),
            "together": gaussian.epsilon_for(gaussian.compose(mus), self.delta),
            "sum": self.topics_epsilon + self.epsilon,
        }
        assert corpus.truth is not None
        figure = self._figure(numbers, private, shares, corpus.truth.titles[FAVORITE])
        return Picture(numbers, figure)

    def _figure(
        self,
        numbers: Mapping[str, float],
        private: TopicShares,
        true_shares: Matrix,
        topic: str,
    ) -> Figure:
        if self.price:
            bars = {
                "topics": self.topics_epsilon,
                "table": self.epsilon,
                "together": numbers["together"],
            }
            title = (
                f"ε = {self.topics_epsilon:g} and ε = {self.epsilon:g} make"
                f" ε = {numbers['together']:.4g} together"
            )
            return figures.compared(bars, title=title, x_title="privacy budget ε")
        n_tables = round(N_TABLES * numbers["larger"])
        title = f"{topic} is larger in the North in {n_tables} of {N_TABLES} possible tables"
        if self.enough:
            title = (
                f"ε = {numbers['needed']:.2g} is enough: {numbers['power']:.0%} of such releases"
                " are sure"
            )
        elif self.repeated:
            title = f"{numbers['power']:.0%} of releases like this one are sure"
        low, high = private.interval()
        rows = [
            ShareOfGroup(
                group=group,
                mean=float(private.shares[row, FAVORITE]),
                low=float(low[row, FAVORITE]),
                high=float(high[row, FAVORITE]),
                draws=private.draws[:: len(private.draws) // 20, row, FAVORITE],
                is_vague=bool(private.is_vague[row, FAVORITE]),
                truth=float(true_shares[row, FAVORITE]),
            )
            for row, group in enumerate(private.groups[:-1])
        ]
        return figures.share_dots(
            rows, title=title, colour=theme.topic_colour(FAVORITE + 1), axis_end=1.0
        )


@lru_cache(4)
def _draw_letters(simulation: Simulation) -> Corpus:
    return simulation.draw()


def _district_table(corpus: Corpus, n_districts: int) -> tuple[Matrix, Matrix, tuple[str, ...]]:
    """Letters by district and topic without noise, ``other`` last; true shares; the districts."""
    assert corpus.truth is not None
    districts = corpus.truth.groups[0]
    sizes = np.bincount(districts.column.codes, minlength=len(districts.shares))
    totals = districts.shares * sizes[:, None]
    listed = totals[:n_districts]
    table = np.vstack([listed, totals[n_districts:].sum(axis=0)])
    return table, districts.shares[:n_districts], districts.column.values[:n_districts]


def _needed_epsilon(letters: Matrix, difference: float, sensitivity: float, delta: float) -> float:
    """ε at which nine in ten tables tell two districts apart, before smoothing.

    The difference of their noisy shares has standard deviation σ √(1/n² + 1/m²).
    """
    quantiles = ndtri(SURE) + ndtri(OFTEN)
    std_per_sigma = math.hypot(1 / letters[NORTH], 1 / letters[SOUTH])
    noise_std = difference / (quantiles * std_per_sigma)
    return float(gaussian.epsilon_for(sensitivity / noise_std, delta))


@lru_cache(32)
def _power(simulation: Simulation, n_districts: int, noise_std: float) -> float:
    """Part of releases with this noise in which 95 of 100 possible tables find the North larger."""
    table, _, _ = _district_table(_draw_letters(simulation), n_districts)
    rng = np.random.default_rng(0)
    n_sure = 0
    for release in range(N_RELEASES):
        noisy_table = table + rng.normal(0, noise_std, table.shape)
        draws = draw_share_tables(noisy_table, noise_std, n_draws=N_TABLES, seed=release)
        larger = np.mean(draws[:, NORTH, FAVORITE] > draws[:, SOUTH, FAVORITE])
        n_sure += bool(larger >= SURE)
    return n_sure / N_RELEASES
