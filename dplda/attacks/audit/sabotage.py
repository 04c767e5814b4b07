"""Deliberate violations of a promise, which an audit has to detect."""

from collections import deque
from dataclasses import dataclass

from dplda.core.types import Vector
from dplda.privacy.noise.keys import NoiseKind, Secret, SecretKey, SeedKey
from dplda.privacy.noise.layouts import Spread
from dplda.privacy.noise.sources import NoiseSource, SimulatedNoise


@dataclass(frozen=True, slots=True)
class Sabotage:
    """One way to break a promise.

    Attributes:
        name: name in commands and links.
        title: heading on the page.
        says: the defect in a sentence.
        factor: factor by which noise is too small.
        edge: edge whose releases have no noise; empty for none.
    """

    name: str
    title: str
    says: str
    factor: float = 1.0
    edge: str = ""

    def source(self, seed: int, sound_source: NoiseSource | None = None) -> NoiseSource:
        """Noise source with this defect; simulated noise unless another source is given.

        ``HONEST`` returns the source as it is. With a given source the seed is unused.
        """
        source = sound_source
        if source is None:
            key = SeedKey(seed, ("audit",))
            source = SimulatedNoise(key)
        if self is HONEST:
            return source
        return _BrokenSource(self, source)

    def __str__(self) -> str:
        """Its name in commands and links."""
        return self.name


class _BrokenSource:
    """A noise source with a defect."""

    def __init__(self, sabotage: Sabotage, sound_source: NoiseSource) -> None:
        """Take a sound source; to lack last bits, floating-point noise replaces exact noise."""
        self.kind = sound_source.kind
        self._sabotage = sabotage
        self._source = sound_source
        # scale and noise of the first release of a chain, by stream
        self._first_noise: dict[str, tuple[float, deque[Vector]]] = {}
        if sabotage == LAST_BITS and sound_source.kind is NoiseKind.EXACT:
            self._source = SimulatedNoise(SecretKey(("audit",), Secret()))

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, stream: str) -> Vector:
        """Add noise with the sabotage's defect: none on its edge, too little, or known noise.

        The sabotage ``AGAIN`` repeats noise of a stream at every scale but the stream's first one.
        It repeats the draws at that first scale, in their order, and fits them to the new scale.
        """
        if self._drops(stream):
            return coordinates * 1.0
        drawn_scale = scale / self._sabotage.factor
        noisy_value = self._next_source.perturb(coordinates, drawn_scale, spread, stream)
        if self._sabotage != AGAIN:
            return noisy_value
        first_scale, first_noise = self._first_noise.setdefault(stream, (scale, deque()))
        if scale == first_scale:
            unit_noise = (noisy_value - coordinates) / scale
            first_noise.append(unit_noise)
            return noisy_value
        first_noise.rotate(-1)
        return coordinates + scale * first_noise[-1]

    def perturb_laplace(
        self, coordinates: Vector, scale: float, spread: Spread, stream: str
    ) -> Vector:
        """Add Laplace noise with the sabotage's defect: none on its edge, too little, or reused.

        ``AGAIN`` leaves Laplace noise sound.
        """
        if self._drops(stream):
            return coordinates * 1.0
        drawn_scale = scale / self._sabotage.factor
        return self._next_source.perturb_laplace(coordinates, drawn_scale, spread, stream)

    @property
    def _next_source(self) -> NoiseSource:
        """Source of the next draw: a new one of the same seed where the seed is reused."""
        if self._sabotage == REUSED:
            return SimulatedNoise(SeedKey(0))
        return self._source

    def _drops(self, stream: str) -> bool:
        """Whether the sabotage drops the noise of an edge and quantity."""
        edge, _, _ = stream.partition(" ")
        return edge == self._sabotage.edge


def drop_noise_on(edge: str) -> Sabotage:
    """Sabotage that drops the noise on an edge."""
    says = f"Releases on {edge} have no noise; the other edges keep theirs."
    return Sabotage(f"dropped-{edge}", f"No noise on {edge}", says, edge=edge)


HONEST = Sabotage("", "Unchanged", "The method keeps its promise.")
HALF = Sabotage(
    "half-noise",
    "Half the noise",
    "Every draw of noise is half as large as the proof requires.",
    factor=2,
)
PUBLISHED = Sabotage(
    "published-sensitivity",
    "The published sensitivity",
    "Noise is scaled to one document's part, 1/N as printed, "
    "but two documents' parts can be farther apart.",
)
SAMPLED = Sabotage(
    "sampled-sensitivity",
    "A sensitivity from random neighbors",
    "Noise is scaled to the largest change among a few random neighbors, "
    "but the worst neighbor changes more.",
)
REUSED = Sabotage(
    "reused-seed",
    "A reused seed",
    "Every run draws the same numbers, "
    "so anyone who has seen one run can remove the noise from all others.",
)
LAST_BITS = Sabotage(
    "last-bits",
    "Reading the last bits",
    "The noise has the promised size but is added in floating point, "
    "so its last bits depend on the documents.",
)
EVERYONE = Sabotage(
    "no-sampling",
    "Nobody is left out",
    "Every minibatch holds all documents, "
    "while the accountant assumes that each may be left out at random.",
)
BY_DOCUMENT = Sabotage(
    "document-by-document",
    "Documents counted instead of persons",
    "Documents are bounded one by one, so somebody who wrote three has three times the influence.",
)
UNPAID = Sabotage(
    "parent-not-charged",
    "The earlier release is not counted",
    "A release that continues another spends the whole total again, "
    "so both together cost more than it.",
)
AGAIN = Sabotage(
    "noise-used-again",
    "Noise used again",
    "A release that continues another repeats its noise, so the difference of the two has none.",
)
