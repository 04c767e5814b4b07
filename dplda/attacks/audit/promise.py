"""What is audited: a promise, to whom and with which noise, and how much of it one release is given."""

from dataclasses import dataclass

from dplda.core import checks
from dplda.privacy.noise.exact import ExactNoise
from dplda.privacy.odds import short

MOST = 0.98  # of the budget, for the release that is looked at


@dataclass(frozen=True, slots=True)
class AuditedPromise:
    """What a whole run promises, replacing one document, or all documents of one person.

    Attributes:
        epsilon: ε > 0.
        delta: δ in (0, 0.5).
        exact: whether noise is that of a release, on whole numbers; else it is simulated.
    """

    epsilon: float
    delta: float = 1e-7
    persons: bool = False
    exact: bool = False

    def __post_init__(self) -> None:
        """Check both limits."""
        checks.positive("epsilon", self.epsilon)
        checks.delta(self.delta)

    @property
    def noise(self) -> ExactNoise | None:
        """Of one run; None where it simulates its own."""
        return ExactNoise(epsilon=self.epsilon, delta=self.delta) if self.exact else None

    def __str__(self) -> str:
        said = [f"ε = {short(self.epsilon)}", f"δ = {short(self.delta)}"]
        return ", ".join(said + ["of a person"] * self.persons + ["with noise of a release"] * self.exact)
