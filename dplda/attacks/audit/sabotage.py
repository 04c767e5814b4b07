"""Ways to break a promise on purpose: what an audit has to find out, or it is worth nothing."""

from collections.abc import Callable
from dataclasses import dataclass

from dplda.core.types import Vector
from dplda.privacy.noise.keys import NoiseKind, Secret, SecretKey, SeedKey
from dplda.privacy.noise.layouts import Spread
from dplda.privacy.noise.sources import NoiseSource, SimulatedNoise


@dataclass(frozen=True, slots=True)
class Sabotage:
    """One way.

    Attributes:
        printed: whether noise is scaled to the length of one document's part, as published, and not to how far two
            documents' parts may be apart.
        everyone: whether all documents are in every minibatch, while the accountant counts on chance.
        by_document: whether a person's documents are counted one by one, as if they were of as many persons.
    """

    name: str
    title: str
    says: str
    noise: Callable[[NoiseSource], NoiseSource] = lambda honest: honest
    printed: bool = False
    bits: bool = False
    everyone: bool = False
    by_document: bool = False

    def source(self, seed: int, honest: NoiseSource | None = None) -> NoiseSource:
        """Of a run's noise, broken; of simulated noise unless another source is given."""
        return self.noise(honest or SimulatedNoise(SeedKey(seed, ("audit",))))

    def sensitivity(self, proven: float, apart: float) -> float:
        """What noise is scaled to."""
        return proven / apart if self.printed else proven

    def __str__(self) -> str:
        return self.name


class _Rescaled:
    """Noise so many times smaller than is asked for."""

    def __init__(self, honest: NoiseSource, factor: float) -> None:
        self.kind, self._honest, self._factor = honest.kind, honest, factor

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds normal numbers."""
        return self._honest.perturb(coordinates, scale / self._factor, spread, of)

    def perturb_laplace(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds Laplace numbers."""
        return self._honest.perturb_laplace(coordinates, scale / self._factor, spread, of)


class _Repeated:
    """The same numbers again, whoever asks and how often."""

    def __init__(self, honest: NoiseSource) -> None:
        self.kind = honest.kind

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds normal numbers."""
        return SimulatedNoise(SeedKey(0)).perturb(coordinates, scale, spread, of)

    def perturb_laplace(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds Laplace numbers."""
        return SimulatedNoise(SeedKey(0)).perturb_laplace(coordinates, scale, spread, of)


class _Floating:
    """NumPy's noise where noise of a release was promised."""

    def __init__(self, honest: NoiseSource) -> None:
        self.kind = honest.kind
        exact = honest.kind is NoiseKind.EXACT
        self._source = SimulatedNoise(SecretKey(("audit",), Secret())) if exact else honest

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds normal numbers."""
        return self._source.perturb(coordinates, scale, spread, of)

    def perturb_laplace(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds Laplace numbers."""
        return self._source.perturb_laplace(coordinates, scale, spread, of)


class _Without:
    """Noise on all edges but one."""

    def __init__(self, honest: NoiseSource, edge: str) -> None:
        self.kind, self._honest, self._edge = honest.kind, honest, edge

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds normal numbers."""
        return coordinates * 1.0 if self._dropped(of) else self._honest.perturb(coordinates, scale, spread, of)

    def perturb_laplace(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds Laplace numbers."""
        return coordinates * 1.0 if self._dropped(of) else self._honest.perturb_laplace(coordinates, scale, spread, of)

    def _dropped(self, of: str) -> bool:
        return of.split(" ")[0] == self._edge


def less_noise(factor: float) -> Sabotage:
    """Noise so many times too small."""
    return Sabotage(
        "half-noise",
        "Half the noise",
        "Every draw of noise is half as large as the proof asks for.",
        lambda honest: _Rescaled(honest, factor),
    )


def without(edge: str) -> Sabotage:
    """An edge forgotten."""
    return Sabotage(
        f"dropped-{edge}",
        f"No noise on {edge}",
        f"What is released on {edge} goes out as it is; the other edges keep their noise.",
        lambda honest: _Without(honest, edge),
    )


HALF = less_noise(2)
PUBLISHED = Sabotage(
    "published-sensitivity",
    "The published sensitivity",
    "Noise is scaled to the length of one document's part, 1/N as printed; two documents' parts are farther apart.",
    printed=True,
)
REUSED = Sabotage(
    "reused-seed",
    "A reused seed",
    "Every run draws the same numbers, so that who has seen one run takes the noise off all others.",
    _Repeated,
)
LAST_BITS = Sabotage(
    "last-bits",
    "Last bits are read",
    "The noise is as promised, but added in floating point: the last bits of what is released depend on the documents.",
    _Floating,
    bits=True,
)
EVERYONE = Sabotage(
    "no-sampling",
    "Nobody is left out",
    "Every minibatch holds all documents, while the accountant counts on each being left out by chance.",
    everyone=True,
)
BY_DOCUMENT = Sabotage(
    "document-by-document",
    "Documents are counted, not persons",
    "A person's documents are bounded one by one, so that somebody who wrote three of them has three times the say.",
    by_document=True,
)
