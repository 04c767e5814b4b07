"""Signal to noise of a configuration's released values."""

import math
from dataclasses import dataclass
from typing import ClassVar

from dplda.core.errors import InputError
from dplda.core.formatting import digits
from dplda.core.types import Report
from dplda.corpus.simulation.simulate import draw_truth
from dplda.figures import Figure, theme
from dplda.figures.marks import FEW, bars, log_ticks
from dplda.lessons.picture import OfPublicNumbers, Picture
from dplda.methods.chain.noise_table import EdgeNoise, edge_noise
from dplda.methods.problem import Budget
from dplda.methods.registry import parse_method
from dplda.spectral.population import Population
from dplda.theory.theorems.spectrum import from_population


@dataclass(frozen=True)
class NoiseOnEdges(OfPublicNumbers):
    """Signal to noise of every released value, from public numbers only."""

    tells: ClassVar = {
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
        if parse_method(self.method).plan is None:
            raise InputError("method", "a configuration, which puts noise on edges", self.method)
        _ = self._point

    def look(self, seed: int, report: Report) -> Picture:
        """Dry-run the configuration."""
        plan = parse_method(self.method).plan
        assert plan is not None  # refused above
        truth = draw_truth(n_words=self.n_words, n_topics=self.n_topics, alpha0=self.alpha0, seed=0)
        rows = edge_noise(
            plan(Budget(self.epsilon, self.delta)),
            **{name: getattr(self, name) for name in ("n_documents", "n_words", "n_topics", "alpha0", "mean_length")},
            spectrum=from_population(Population(truth.topics, truth.alpha)),
        )
        ratios = [row.signal_to_noise for row in rows]
        ends = {"least": min(ratios), "largest": max(ratios)}
        below = sum(ratio < 1 for ratio in ratios)
        return Picture({"values": len(rows), **ends, "below_noise": below}, _bars(rows))


def _bars(rows: tuple[EdgeNoise, ...]) -> Figure:
    ratios = {f"{row.edge} {row.symbol}": row.signal_to_noise for row in rows}
    colours = [theme.PRIVATE if ratio >= 1 else theme.FLOOR for ratio in ratios.values()]
    drawing = bars(ratios, [digits(ratio, 2) for ratio in ratios.values()], colours, "%{y}: %{x:.3g}")
    shown = [ratio for ratio in ratios.values() if 0 < ratio < math.inf]
    low, high = min(shown), max(shown)
    ends = [min(0.0, math.log10(low)) - 0.1, math.log10(high) + 0.35]  # room for the longest bar's number
    ticks = log_ticks(min(low, 1.0), high, most=FEW)
    drawing.x(dict(title_text="signal to noise", type="log", range=ends, tickangle=0, **ticks))
    drawing.vline(1.0, dict(color=theme.MUTED, width=2, dash="dot"))
    said = "; ".join(f"{name}: {ratio:.3g}" for name, ratio in ratios.items())
    alt = f"Signal to noise of every released value. {said}."
    return Figure("How large each released value is relative to its noise", alt, 330, drawing)
