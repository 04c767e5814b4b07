"""Resources of a run: seed, noise source, memory, progress."""

from collections.abc import Callable
from dataclasses import dataclass

from dplda.core import checks
from dplda.core.types import Report, silent
from dplda.corpus.corpus import Label
from dplda.corpus.on_disk import AnyCorpus
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.keys import NoiseKey, Secret, SecretKey, SeedKey
from dplda.privacy.noise.sources import NoiseSource, SimulatedNoise
from dplda.spectral.corpus_statistics import StatisticsCache


@dataclass(frozen=True, slots=True, eq=False)
class Runtime:
    """Optional resources for a run; none changes the distribution of the result.

    Attributes:
        seed: for all draws that no document affects and, on simulated and public corpora, for the
            noise.
        noise: a source in place of simulated noise; a source of none switches noise off.
        secret: key of all draws on a sensitive corpus; None for a new one, so that every run is its
            own draw.
        statistics: sums of the corpus that were worked out before; None to work them out.
        report: gets the fraction done and the step, in the calling thread; may raise to cancel.
        memory_bytes: bytes it may use; None for all that is free.
        make_mechanisms: makes the mechanisms of a run from its source of noise; an audit watches
            them.
    """

    seed: int = 0
    noise: NoiseSource | None = None
    secret: Secret | None = None
    statistics: StatisticsCache | None = None
    report: Report = silent
    memory_bytes: float | None = None
    make_mechanisms: Callable[[NoiseSource], Mechanisms] = Mechanisms

    def __post_init__(self) -> None:
        checks.plain(self)
        checks.integer_at_least("seed", self.seed, 0)

    def make_noise_key(
        self, corpus: AnyCorpus, *, method: tuple[str, ...], choices: tuple[str, ...]
    ) -> NoiseKey:
        """The key of one run's noise, made only here.

        On simulated and public corpora it is the seed and the method, so that one seed gives common
        noise across ε and splits. On a sensitive corpus it is a secret with everything that
        identifies this run: runs that differ in plan, documents or draw number share no random
        number; so ``choices`` are all else that it depends on, in words.

        Args:
            corpus: its label decides which key it is, and its digest is part of a secret one.
            method: names of the method, and of the release that it continues.
            choices: everything else that the run depends on, in words; a seed's key ignores it.
        """
        if corpus.label is not Label.SENSITIVE:
            return SeedKey(self.seed, method)
        return SecretKey(
            (corpus.digest, *method, *choices, str(self.seed)), self.secret or Secret()
        )

    def open_mechanisms(self, key: NoiseKey) -> Mechanisms:
        """The mechanisms of a run: noise of this key, unless another source was given."""
        return self.make_mechanisms(self.noise or SimulatedNoise(key))


DEFAULT_RUNTIME = Runtime()
