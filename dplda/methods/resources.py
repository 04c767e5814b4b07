"""What a run may use."""

from collections.abc import Callable
from dataclasses import dataclass

from dplda.core import checks
from dplda.core.types import Report, silent
from dplda.methods.chain.sums import Sums
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.keys import NoiseKey, Secret
from dplda.privacy.noise.sources import NoiseSource, SimulatedNoise


@dataclass(frozen=True, slots=True, eq=False)
class Resources:
    """What a run may use besides, none of which changes the law of its result.

    Attributes:
        seed: of whatever is drawn that no document depends on and, on simulated and public corpora, of the noise.
        noise: another source than simulated noise; a source of none switches it off.
        secret: keys what is drawn on a sensitive corpus; a new one where None, so that every run is a draw of its own.
        sums: of the corpus, remembered.
        report: told the fraction done and the step, in the calling thread; may raise to give up.
        memory: bytes that it may take; None for what is free.
        through: makes of the source what releases values.
    """

    seed: int = 0
    noise: NoiseSource | None = None
    secret: Secret | None = None
    sums: Sums | None = None
    report: Report = silent
    memory: float | None = None
    through: Callable[[NoiseSource], Mechanisms] = Mechanisms

    def __post_init__(self) -> None:
        checks.integer_at_least("seed", self.seed, 0)

    def mechanisms(self, key: NoiseKey) -> Mechanisms:
        """What releases values: noise of this key, unless another source was given."""
        return self.through(self.noise or SimulatedNoise(key))


DEFAULT = Resources()
