"""What is audited: a promise, and how much of it one release is given."""

from dataclasses import dataclass

from dplda import _check

MOST = 0.98  # of the budget, for the release that is looked at


@dataclass(frozen=True, slots=True)
class Promise:
    """What a whole run promises, replacing one document.

    Attributes:
        epsilon: ε > 0.
        delta: δ in (0, 1).
    """

    epsilon: float
    delta: float = 1e-7

    def __post_init__(self) -> None:
        """Check both limits."""
        _check.positive("epsilon", self.epsilon)
        _check.between("delta", self.delta, 0, 1, open_ends=True)
