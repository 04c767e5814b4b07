"""How far one letter can move the average of pair frequencies, in a sample and at most."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dplda import figures
from dplda.core.errors import InputError
from dplda.core.types import Matrix, Report
from dplda.corpus import Simulation
from dplda.lessons.views.picture import Picture, PictureView
from dplda.privacy import sensitivity
from dplda.privacy.accounting import gaussian

MILLION = 1e6
SAMPLE = 200  # letters, every pair of which is exchanged
UNCLIPPED = 2**-0.5


@dataclass(frozen=True)
class Pull(PictureView):
    """Change of the average by one letter against N, with the bound for any letter.

    Attributes:
        epsilon: ε of noise on the average if nothing else is released.
        with_noise: whether the noise is drawn too.
    """

    number_meanings: ClassVar = {
        "bound": "the largest pull that any letter can have, in millionths",
        "typical": "the median pull of these letters, in millionths",
        "largest": "the largest pull of any of these letters, in millionths",
        "slack": "the largest possible pull over the median one",
        "noise": "noise on each pair at this ε, in millionths",
        "noise_tenfold": "that noise with ten times as many letters",
        "shrinks": "the noise, over the noise with ten times as many letters",
        "multiplier": "the noise, over the largest possible pull",
    }
    depends_on_seed: ClassVar = True

    n_documents: int = 20_000
    n_words: int = 100
    n_topics: int = 4
    mean_length: int = 60
    epsilon: float = 1.0
    delta: float = 1e-7
    with_noise: bool = False

    def __post_init__(self) -> None:
        gaussian.mu_for(self.epsilon, self.delta)
        self._simulation(0)
        if self.n_documents < SAMPLE:
            raise InputError("n_documents", f"at least {SAMPLE}", str(self.n_documents))

    def _simulation(self, seed: int) -> Simulation:
        asked = {name: getattr(self, name) for name in ("n_words", "n_topics", "mean_length")}
        return Simulation(n_documents=SAMPLE, alpha0=0.1, newspaper="english", seed=seed, **asked)

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Exchange the letters of a sample pairwise and measure how far the average moves."""
        tables = _pairs(
            np.asarray(self._simulation(seed).draw().counts.todense(), dtype=np.float64)
        )
        squares = np.sum(tables**2, axis=1)
        apart = np.sqrt(np.maximum(squares[:, None] + squares - 2 * tables @ tables.T, 0))
        apart = apart[np.triu_indices(len(apart), 1)]
        typical, largest = float(np.median(apart)), float(apart.max())
        n = self.n_documents
        xs = [1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6]
        curves = {
            "worst possible pull": [_bound(int(x)) for x in xs],
            "largest here": [MILLION * largest / x for x in xs],
            "typical": [MILLION * typical / x for x in xs],
        }
        bound, noise, tenfold = _bound(n), self._noise(n), self._noise(10 * n)
        title = f"None of {n:,} letters pulls further than {bound:.3g} millionths"
        if self.with_noise:
            curves = {f"noise at ε = {self.epsilon:g}": [self._noise(int(x)) for x in xs], **curves}
            title = f"Noise of {noise:,.0f} millionths hides a pull of {bound:.3g}"
        numbers = {
            "bound": bound,
            "typical": MILLION * typical / n,
            "largest": MILLION * largest / n,
            "slack": bound / (MILLION * typical / n),
            "noise": noise,
            "noise_tenfold": tenfold,
            "shrinks": noise / tenfold,
            "multiplier": noise / bound,
        }
        x, y = "number of letters N", "millionths"
        return Picture(
            numbers,
            figures.lines(xs, curves, title=title, x_title=x, y_title=y, mark=float(n), log_y=True),
        )

    def _noise(self, n_documents: int) -> float:
        return _bound(n_documents) / gaussian.mu_for(self.epsilon, self.delta)


def _bound(n_documents: int) -> float:
    return MILLION * sensitivity.pair_average(n_documents=n_documents, clip=UNCLIPPED)


def _pairs(counts: Matrix) -> Matrix:
    """Each letter's pair frequencies as a histogram over unordered pairs, one row per letter."""
    lengths = counts.sum(axis=1)
    full = np.einsum("ni,nj->nij", counts, counts)
    diagonal = np.arange(counts.shape[1])
    full[:, diagonal, diagonal] -= counts
    full /= np.maximum(lengths * (lengths - 1), 1)[:, None, None]
    upper = np.triu_indices(counts.shape[1], 1)
    return np.hstack([full[:, diagonal, diagonal], 2 * full[:, upper[0], upper[1]]])
