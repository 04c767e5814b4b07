"""Mechanisms that are less private than they say: what the audit of a release has to find out."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dplda.methods.chain.sums import CorpusStatistics
from dplda.privacy import mechanisms, sensitivity
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.sources import SimulatedNoise

Patch = pytest.MonkeyPatch
Mutant = Callable[[Patch, str], None]


def sensitivity_over(factor: float) -> Mutant:
    """The sensitivity is taken for too small when noise is scaled to it."""
    honest = mechanisms._scale

    def apply(patch: Patch, stream: str) -> None:
        patch.setattr(mechanisms, "_scale", lambda value, *budget: honest(value / factor, *budget))

    return apply


def one_count(patch: Patch, stream: str) -> None:
    """A search pays for one of its nine counts."""
    patch.setattr(sensitivity, "count", lambda **queries: 1.0)


def exact_counts(patch: Patch, stream: str) -> None:
    """A search draws its noise and goes by the exact counts."""
    honest = Mechanisms._count

    def count(self: Mechanisms, label: Any, which: np.ndarray, scale: float) -> float:
        honest(self, label, which, scale)
        return float(np.count_nonzero(which))

    patch.setattr(Mechanisms, "_count", count)


def nothing_clipped(patch: Patch, stream: str) -> None:
    """Documents enter averages as they are, whatever the level."""
    averages, triples = CorpusStatistics.averages, CorpusStatistics.triple_average
    patch.setattr(CorpusStatistics, "averages", lambda self, clip: replace(averages(self, 1.0), clip=clip))
    patch.setattr(CorpusStatistics, "triple_average", lambda self, clip, W, limit: triples(self, clip, W, np.inf))


def one_stream(patch: Patch, stream: str = "") -> None:
    """Every draw starts from the same number again, whatever it is for."""
    patch.setattr(SimulatedNoise, "_stream", lambda self, of: self._key.generator("noise"))
