"""What a run may use."""

from collections.abc import Callable
from dataclasses import dataclass

from dplda.core import checks
from dplda.core.types import Report, silent
from dplda.corpus.corpus import Label
from dplda.corpus.on_disk import AnyCorpus
from dplda.methods.chain.sums import Sums
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.keys import NoiseKey, Secret, SecretKey, SeedKey
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

    def key(self, corpus: AnyCorpus, *, method: tuple[str, ...], choices: tuple[str, ...]) -> NoiseKey:
        """The key of one run's noise, made in this one place.

        On simulated and public corpora it is the seed and the method, so that one seed gives common noise across ε and
        splits. On a sensitive corpus it is a secret with everything that tells this run from another one: two runs that
        differ in a plan, in the documents or in the number of the draw share no number.

        Args:
            method: its name and the scaling of its noise.
            choices: all else that the run depends on, in words: ε, δ, split, numbers of topics, settings.
        """
        if corpus.label is not Label.SENSITIVE:
            return SeedKey(self.seed, method)
        return SecretKey((corpus.digest, *method, *choices, str(self.seed)), self.secret or Secret())

    def mechanisms(self, key: NoiseKey) -> Mechanisms:
        """What releases values: noise of this key, unless another source was given."""
        return self.through(self.noise or SimulatedNoise(key))


DEFAULT = Resources()
