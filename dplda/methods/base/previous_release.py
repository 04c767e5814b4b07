"""The state of a finished run, from which another run continues: released values, and functions of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dplda.core.errors import InputError
from dplda.core.types import Matrix, Vector
from dplda.evaluation.evidence import ReleasedEvidence
from dplda.methods.denoising.word_frequencies import WordReading
from dplda.methods.refined.spectral_start import StartMoments
from dplda.privacy import gaussian


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Stepped:
    """What steps left behind.

    Attributes:
        topics: as released, shape (k, d).
        shares: of the prior, shape (k,), on the simplex.
        mean, precision: running mean of the steps, shape (k, d), and 1 over the noise variance of an entry.
    """

    topics: Matrix
    shares: Vector
    mean: Matrix
    precision: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class State:
    """What a run knew at its end.

    Attributes:
        counts, noise: the word counts as released, shape (d,), and their noise standard deviation.
        weights: ``u`` of the first release, shape (d,).
        steps, start: None without.
        tilted: whether the documents let a table of public knowledge in.
    """

    counts: Vector
    noise: float
    weights: Vector
    steps: Stepped | None = None
    start: StartMoments | None = None
    tilted: bool = False

    @property
    def words(self) -> WordReading:
        """The word counts as a run reads them."""
        return WordReading(self.counts, self.noise, self.weights)

    def of(self, order: Sequence[int]) -> "State":
        """With topics in another order."""
        rows, steps = list(order), self.steps
        if steps is not None:
            steps = replace(
                steps, topics=steps.topics[rows], shares=steps.shares[rows], mean=steps.mean[rows]
            )
        return replace(self, steps=steps, start=self.start and self.start.of(rows))


@dataclass(frozen=True, slots=True, eq=False)
class Earlier:
    """A release to continue.

    Attributes:
        state: of its run.
        mu: Gaussian budget of all releases so far.
        evidence: as released; None for a method without. Its mean length of documents stays in use; its gains
            are those of topics that the next release replaces.
        name: SHA-256 of its file, hexadecimal: belongs to the key of the noise, so none is used again.
        asked: whether the documents were asked about public knowledge.
    """

    state: State
    mu: float
    evidence: ReleasedEvidence | None
    name: str
    asked: bool = False

    def missing(self, mu: float) -> float:
        """What the next release may spend of a budget ``μ`` for all together.

        Raises:
            InputError: nothing is left of it.
        """
        if mu <= self.mu:
            raise InputError(
                "ε",
                "above that of the release to continue",
                "no more than it",
                "Choose a larger total.",
            )
        return gaussian.missing(mu, self.mu)


def scope(method: str, since: Earlier | None, mu: float) -> tuple[str, ...]:
    """A method's name in the key of its noise: its own for each release that it continues, and each total."""
    return (method, "corrected") if since is None else (method, "continued", since.name, repr(mu))
