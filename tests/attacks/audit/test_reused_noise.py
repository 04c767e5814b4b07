"""Two releases of one run seen together: noise that is used twice is taken off by whoever compares them.

Each release by itself keeps its promise then. Scaled to equal noise, the difference of the two has none left.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from dplda import Plan
from dplda.attacks.audit.evidence import Evidence, evidence, gaussian_mu, pure_epsilon
from dplda.attacks.audit.worst_cases import TWO_WORDS
from dplda.methods.chain.pipeline import run
from dplda.methods.chain.sums import Sums
from dplda.methods.configurations.variant import Calibration, NoiseLaw
from dplda.methods.problem import Problem
from dplda.methods.resources import Resources
from dplda.privacy import gaussian
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.sources import NoiseSource, NoNoise
from dplda.privacy.release import Release
from tests.attacks.audit import gate, mutants
from tests.attacks.audit.gate import DELTA, EPSILON, MU
from tests.methods.configurations.variants import Entry
from tests.statistical.laws import histogram_cells
from tests.tiny_corpora import Rows, corpus_of


@dataclass(frozen=True, slots=True)
class Two:
    """Two releases of a configuration: their names in a split, and which they are."""

    entry: Entry
    shares: tuple[str, str]
    numbers: tuple[int, int]

    @property
    def laplace(self) -> bool:
        return self.entry.calibration is NoiseLaw.LAPLACE

    @property
    def plan(self) -> Plan:
        """Nearly all for the two, four times as much for the one: equal noise on equal values would hide nothing."""
        others = [name for name in self.entry.variant.names if name not in self.shares]
        split = (*zip(self.shares, (0.78, 0.2), strict=True), *((name, 0.02 / len(others)) for name in others))
        epsilon = EPSILON if self.laplace else gaussian.epsilon_for(MU, DELTA)
        return Plan(self.entry.name, epsilon, DELTA, split, calibration=self.entry.calibration)

    def __str__(self) -> str:
        return f"{self.entry} {' and '.join(self.shares)}"


BACK, CORRECTED = "pairs for W†", Calibration.CORRECTED
PAIRS_OF_RELEASES = [
    Two(Entry("shared-moment", CORRECTED), ("pairs", "words"), (0, 1)),
    Two(Entry("config-1", CORRECTED), ("pairs", BACK), (0, 3)),
    Two(Entry("config-1", NoiseLaw.LAPLACE), ("pairs", BACK), (2, 3)),
]
every_two = pytest.mark.parametrize("two", PAIRS_OF_RELEASES, ids=str)


class SeenError(Exception):
    """All that is needed was released."""

    def __init__(self, releases: tuple[Release, ...]) -> None:
        super().__init__()
        self.releases = releases


class Until(Mechanisms):
    """Mechanisms of a run that goes no further than so many releases."""

    def __init__(self, count: int, source: NoiseSource) -> None:
        super().__init__(source)
        self._count_of_releases = count

    def _keep(self, *given: object, **named: object) -> None:
        super()._keep(*given, **named)
        if len(self.releases) == self._count_of_releases:
            raise SeenError(self.releases)


def differences(two: Two, rows: Rows, seeds: range, noise: NoiseSource | None = None) -> np.ndarray:
    """Of the two releases of each run, in units of their noise; of as many numbers as the smaller has."""
    corpus, plan, found = corpus_of(rows), two.plan, []
    sums = Sums(corpus.counts)
    through = partial(Until, max(two.numbers) + 1)
    for seed in seeds:
        with pytest.raises(SeenError) as seen:
            run(corpus, plan, Problem(2, 1.0), Resources(seed, noise=noise, sums=sums, through=through))
        first, second = (
            (histogram_cells(r.value) if np.ndim(r.value) == 2 else r.value) / r.scale
            for r in (seen.value.releases[number] for number in two.numbers)
        )
        size = min(len(first), len(second))
        found.append(first[:size] - second[:size])
    return np.array(found)


def found(two: Two) -> Evidence:
    exact = [differences(two, rows, range(1), NoNoise())[0] for rows in TWO_WORDS]
    runs = gate.RUNS_TWO_RELEASES
    one, other = (
        differences(two, rows, range(side * runs, (side + 1) * runs)) @ (exact[0] - exact[1])
        for side, rows in enumerate(TWO_WORDS)
    )
    return evidence(one, other, pure_epsilon if two.laplace else gaussian_mu, error=gate.ERROR)


def claimed(two: Two) -> float:
    return EPSILON if two.laplace else gaussian.mu_for(two.plan.epsilon, DELTA)


@every_two
def test_two_releases_share_no_noise(two: Two) -> None:
    assert found(two).lower <= claimed(two)


@every_two
def test_noise_that_is_used_twice_is_found_out(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    mutants.one_stream(monkeypatch)
    assert found(two).lower > claimed(two)
