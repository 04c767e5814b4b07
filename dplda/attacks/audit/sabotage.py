"""Ways to break a promise on purpose: what an audit has to find out, or it is worth nothing."""

from dataclasses import dataclass

from dplda.core.types import Vector
from dplda.privacy.noise.keys import NoiseKind, Secret, SecretKey, SeedKey
from dplda.privacy.noise.layouts import Spread
from dplda.privacy.noise.sources import NoiseSource, SimulatedNoise


@dataclass(frozen=True, slots=True)
class Sabotage:
    """One way.

    Attributes:
        factor: by which noise is too little.
        edge: whose releases go out as they are.
        reused: whether every draw is the same numbers again, whoever asks and how often.
        bits: whether noise is NumPy's where noise of a release was promised, and last bits are read.
        printed: whether noise is scaled to the length of one document's part, as published, and not to how far two
            documents' parts may be apart.
        everyone: whether all documents are in every minibatch, while the accountant counts on chance.
        by_document: whether a person's documents are counted one by one, as if they were of as many persons.
    """

    name: str
    title: str
    says: str
    factor: float = 1.0
    edge: str = ""
    reused: bool = False
    bits: bool = False
    printed: bool = False
    everyone: bool = False
    by_document: bool = False

    def source(self, seed: int, honest: NoiseSource | None = None) -> NoiseSource:
        """Of a run's noise, broken; of simulated noise unless another source is given."""
        source = honest or SimulatedNoise(SeedKey(seed, ("audit",)))
        return source if self is HONEST else _Broken(self, source)

    def __str__(self) -> str:
        return self.name


class _Broken:
    """A source with a sabotage."""

    def __init__(self, how: Sabotage, honest: NoiseSource) -> None:
        self.kind, self._how, self._source = honest.kind, how, honest
        if how.bits and honest.kind is NoiseKind.EXACT:
            self._source = SimulatedNoise(SecretKey(("audit",), Secret()))

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds normal numbers."""
        if self._drops(of):
            return coordinates * 1.0
        return self._from.perturb(coordinates, scale / self._how.factor, spread, of)

    def perturb_laplace(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds Laplace numbers."""
        if self._drops(of):
            return coordinates * 1.0
        return self._from.perturb_laplace(coordinates, scale / self._how.factor, spread, of)

    @property
    def _from(self) -> NoiseSource:
        return SimulatedNoise(SeedKey(0)) if self._how.reused else self._source

    def _drops(self, of: str) -> bool:
        return of.split(" ")[0] == self._how.edge


def without(edge: str) -> Sabotage:
    """An edge forgotten."""
    says = f"What is released on {edge} goes out as it is; the other edges keep their noise."
    return Sabotage(f"dropped-{edge}", f"No noise on {edge}", says, edge=edge)


HONEST = Sabotage("", "As it is", "The method keeps its promise.")
HALF = Sabotage("half-noise", "Half the noise", "Every draw of noise is half as large as the proof asks for.", factor=2)
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
    reused=True,
)
LAST_BITS = Sabotage(
    "last-bits",
    "Last bits are read",
    "The noise is as promised, but added in floating point: the last bits of what is released depend on the documents.",
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
