"""Change of the average of pair frequencies by one letter, in a sample and at most."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dplda import figures
from dplda.core.errors import InputError
from dplda.core.types import Matrix, Report, Vector
from dplda.corpus import Simulation
from dplda.lessons.views.picture import Picture, PictureView
from dplda.privacy import sensitivity
from dplda.privacy.accounting import gaussian

MILLION = 1e6
SAMPLE = 200  # letters, every pair of which is exchanged
UNCLIPPED = 2**-0.5
DOCUMENTS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
"""Numbers of letters at which pulls are drawn."""


@dataclass(frozen=True)
class Pull(PictureView):
    """Change of the average by one letter against N, with the bound for any letter.

    Attributes:
        n_documents: highlighted ``N``, at least ``SAMPLE``.
        n_words: ``d`` of the sample.
        n_topics: ``k`` of the sample.
        mean_length: words of a letter.
        epsilon: ε of noise on the average if nothing else is released.
        delta: δ likewise.
        with_noise: whether the noise is drawn too, and in the title.
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
        """Simulation of ``SAMPLE`` letters from a seed, whatever ``n_documents`` is.

        Refused with an ``InputError`` if a number of the sample is.
        """
        return Simulation(
            n_documents=SAMPLE,
            n_words=self.n_words,
            n_topics=self.n_topics,
            alpha0=0.1,
            mean_length=self.mean_length,
            newspaper="english",
            seed=seed,
        )

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Measure by how many millionths the average moves when one letter replaces another.

        That is the distance of the pair frequencies of two letters, over N of the view.
        It is taken for every pair of letters of a sample, which the seed draws.
        The title has the bound. No progress is reported.
        """
        letters = np.asarray(self._simulation(seed).draw().counts.todense(), dtype=np.float64)
        distances = _distances_between(_pair_frequencies(letters))
        typical_distance = float(np.median(distances))
        largest_distance = float(distances.max())
        bound = _bound(self.n_documents)
        typical_pull = MILLION * typical_distance / self.n_documents
        noise = self._noise(self.n_documents)
        noise_tenfold = self._noise(10 * self.n_documents)
        numbers = {
            "bound": bound,
            "typical": typical_pull,
            "largest": MILLION * largest_distance / self.n_documents,
            "slack": bound / typical_pull,
            "noise": noise,
            "noise_tenfold": noise_tenfold,
            "shrinks": noise / noise_tenfold,
            "multiplier": noise / bound,
        }
        curves = {
            "worst possible pull": [_bound(n_documents) for n_documents in DOCUMENTS],
            "largest here": [MILLION * largest_distance / n for n in DOCUMENTS],
            "typical": [MILLION * typical_distance / n for n in DOCUMENTS],
        }
        title = f"None of {self.n_documents:,} letters pulls further than {bound:.3g} millionths"
        if self.with_noise:
            noise_curve = [self._noise(n_documents) for n_documents in DOCUMENTS]
            curves = {f"noise at ε = {self.epsilon:g}": noise_curve, **curves}
            title = f"Noise of {noise:,.0f} millionths hides a pull of {bound:.3g}"
        figure = figures.lines(
            [float(n_documents) for n_documents in DOCUMENTS],
            curves,
            title=title,
            x_title="number of letters N",
            y_title="millionths",
            mark=float(self.n_documents),
            log_y=True,
        )
        return Picture(numbers, figure)

    def _noise(self, n_documents: int) -> float:
        """Standard deviation of the noise on each pair, in millionths."""
        mu = gaussian.mu_for(self.epsilon, self.delta)
        return _bound(n_documents) / mu


def _bound(n_documents: int) -> float:
    """Largest change of the average by any letter, in millionths."""
    return MILLION * sensitivity.pair_average(n_documents=n_documents, clip=UNCLIPPED)


def _pair_frequencies(letters: Matrix) -> Matrix:
    """Each letter's pair frequencies over unordered pairs of words, one row per letter.

    Args:
        letters: shape (n, d), counts of words.

    Returns:
        Shape (n, d (d + 1) / 2): pairs of equal words first, then the others. A row sums to 1; it
        is 0 for a letter of fewer than two words.
    """
    n_words = letters.shape[1]
    lengths = letters.sum(axis=1)
    pair_counts = np.einsum("ni,nj->nij", letters, letters)
    diagonal = np.arange(n_words)
    pair_counts[:, diagonal, diagonal] -= letters
    n_pairs = np.maximum(lengths * (lengths - 1), 1)
    frequencies = pair_counts / n_pairs[:, None, None]
    rows, columns = np.triu_indices(n_words, 1)
    equal_words = frequencies[:, diagonal, diagonal]
    unequal_words = 2 * frequencies[:, rows, columns]
    return np.hstack([equal_words, unequal_words])


def _distances_between(rows: Matrix) -> Vector:
    """L2 distance of every pair of rows, each pair once."""
    squared_norms = np.sum(rows**2, axis=1)
    sums_of_norms = squared_norms[:, None] + squared_norms
    squared_distances = sums_of_norms - 2 * rows @ rows.T
    distances = np.sqrt(np.maximum(squared_distances, 0))
    each_pair_once = np.triu_indices(len(rows), 1)
    return np.asarray(distances[each_pair_once])
