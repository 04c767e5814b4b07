"""How large the noise of a run is in the units that a predictor needs, read off its releases."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Levels:
    """Standard deviations of the noise of one run, or of one to come.

    Attributes:
        pairs: of one off-diagonal entry of the ``M2`` that whitens.
        back: of the ``M2`` that leads back.
        diagonal: variance on the diagonal over variance off it, 4 for histogram noise and 2 for isotropic.
        words: of one entry of ``E1``.
        tensor: of one coordinate of isotropic noise on ``T``.
        exact_whitening: whether ``T`` is taken along the exact ``M2``, seen in the noisy frame.
        clip: level to which documents' pairs are clipped; None where nothing is clipped.
        fewest: directions above the noise; with fewer of them there are no topics.
    """

    pairs: float
    back: float
    shared: bool
    diagonal: float
    words: float = 0.0
    tensor: float = 0.0
    triples: float = 0.0
    exact_whitening: bool = False
    clip: float | None = None
    fewest: int = 1


@dataclass(frozen=True, slots=True)
class NoiseReading:
    """What levels need of a release.

    Attributes:
        scale: of its noise.
    """

    scale: float
    value: float


Readings: TypeAlias = Mapping[str, NoiseReading]
"""Releases of one run, or of one to come, by the name of their quantity."""

LevelsOf: TypeAlias = Callable[[Readings], Levels]
