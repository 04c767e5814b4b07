"""The numerics between the edges of a fit: whitening, decomposition, unwhitening, and who is told how far it is."""

import numpy as np

from dplda.core.errors import NoTopics
from dplda.core.types import Report, Tensor3
from dplda.methods.configurations.shape import Shape
from dplda.spectral.statistics import Averages, PairMoment
from dplda.spectral.tensor import Components, Search, decompose
from dplda.spectral.topics import RawTopics, unwhiten
from dplda.spectral.whitening import Whitening, whiten

FRACTIONS = {
    "measuring documents": 0.0,
    "counting pairs of words": 0.1,
    "whitening": 0.6,
    "counting triples of words": 0.7,
    "decomposing": 0.95,
}
"""How much of a fit is done when a step begins, roughly."""


class Numerics:
    """The steps of a fit on real documents; implements ``configurations.route.BetweenEdges``.

    Args:
        report: told the fraction done and the step, in the calling thread; may raise to give up.
    """

    def __init__(self, shape: Shape, rng: np.random.Generator, search: Search | None, report: Report) -> None:
        self._shape, self._rng, self._search, self._report = shape, rng, search, report

    def reached(self, step: str) -> None:
        """Told the step that begins."""
        self._report(FRACTIONS[step], step)

    def counting(self, fraction: float) -> None:
        """Told how many documents' pairs are counted."""
        step = "counting pairs of words"
        self._report(FRACTIONS[step] + (FRACTIONS["whitening"] - FRACTIONS[step]) * fraction, step)

    def whiten(self, pairs: Averages | PairMoment, *, direct: bool) -> Whitening:
        """A pair statistic's whitening, along the directions that rise above its known noise.

        Raises:
            NoTopics: the noise hides even the documents' mean weight.
        """
        if isinstance(pairs, Averages) and pairs.mass <= 0:
            raise NoTopics(
                f"with N = {self._shape.n_documents} documents the noise at this ε hides even their mean weight",
                "Use more documents or a larger ε.",
            )
        moment = pairs.pair_moment(self._shape.coefficients)
        return whiten(moment, self._shape.n_topics, entry_noise=pairs.noise_level(), direct=direct)

    def resolves(self, whitening: Whitening, fewest: int) -> bool:
        """Whether a whitening has as many directions."""
        return whitening.resolved >= fewest

    def decompose(self, tensor: Tensor3) -> Components:
        """The frame that explains most of the tensor."""
        return decompose(tensor, rng=self._rng, search=self._search)

    def unwhiten(self, components: Components, whitening: Whitening, pairs: Averages | PairMoment) -> RawTopics:
        """Topics in words again."""
        coefficients = self._shape.coefficients
        return unwhiten(components, whitening, coefficients, pairs.mean_words(coefficients))
