"""Signal to noise of a configuration's released values."""

from dataclasses import dataclass
from typing import ClassVar

from dplda import figures
from dplda.core.errors import InputError
from dplda.core.types import Report
from dplda.corpus.simulation.simulate import draw_truth
from dplda.lessons.views.picture import Picture, PublicNumbersView
from dplda.methods.base.problem import Budget
from dplda.methods.configurations.chain.noise_table import edge_noise
from dplda.methods.configurations.plan import Plan, plan_of_method
from dplda.methods.registry import parse_method_spec
from dplda.spectral.population import Population
from dplda.theory.theorems.spectrum import from_population


@dataclass(frozen=True)
class NoiseOnEdges(PublicNumbersView):
    """Signal to noise of every released value, from public numbers only.

    Attributes:
        method: a configuration, which puts noise on edges.
        n_documents: number of documents, N.
        n_words: size of the vocabulary, d.
        n_topics: number of topics, k.
        alpha0: sum of the Dirichlet parameters, α0.
        mean_length: words of a document.
        epsilon: ε of the method.
        delta: δ of the method.
    """

    number_meanings: ClassVar = {
        "values": "how many values are released",
        "least": "the smallest signal to noise among them",
        "largest": "the largest",
        "below_noise": "how many are smaller than their noise",
    }

    method: str = "adaptive"
    n_documents: int = 20_000
    n_words: int = 100
    n_topics: int = 4
    alpha0: float = 0.1
    mean_length: int = 60
    epsilon: float = 1.0
    delta: float = 1e-7

    def __post_init__(self) -> None:
        if self._plan is None:
            raise InputError("method", "a configuration, which puts noise on edges", self.method)
        _ = self._point

    @property
    def _plan(self) -> Plan | None:
        """The noise plan of the method at its ε and δ; None for one that is no configuration."""
        return plan_of_method(parse_method_spec(self.method), Budget(self.epsilon, self.delta))

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Compute the configuration's noise on topics of seed 0; the seed is not used.

        A bar for each released value is its signal over its noise, with a line at 1.
        The title counts the values below 1. No progress is reported.
        """
        plan = self._plan
        assert plan is not None  # refused above
        truth = draw_truth(n_words=self.n_words, n_topics=self.n_topics, alpha0=self.alpha0, seed=0)
        noise_rows = edge_noise(
            plan,
            n_documents=self.n_documents,
            n_words=self.n_words,
            n_topics=self.n_topics,
            alpha0=self.alpha0,
            mean_length=self.mean_length,
            spectrum=from_population(Population(truth.topics, truth.alpha)),
        )
        ratio_by_value = {f"{row.edge} {row.symbol}": row.signal_to_noise for row in noise_rows}
        n_values = len(noise_rows)
        n_below_noise = sum(ratio < 1 for ratio in ratio_by_value.values())
        numbers = {
            "values": n_values,
            "least": min(ratio_by_value.values()),
            "largest": max(ratio_by_value.values()),
            "below_noise": n_below_noise,
        }
        figure = figures.gap_bars(
            ratio_by_value,
            limit=1.0,
            title=f"{n_below_noise} of {n_values} released values are smaller than their noise",
            x="signal to noise (dashed: as large as its noise)",
            least=True,
        )
        return Picture(numbers, figure)
