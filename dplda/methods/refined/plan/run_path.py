"""Path of a run: the decisions that released values make, and the releases that follow."""

from dataclasses import dataclass

from dplda.methods.configurations.sizes import Quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPath:
    """Decisions of a run that released values make.

    Attributes:
        has_steps: whether variational steps are made; else all that is left goes to word counts,
            beside a prior.
        start_share: share of a spectral start; 0 without one.
    """

    has_steps: bool = True
    start_share: float = 0.0


@dataclass(frozen=True, slots=True)
class PlannedRelease:
    """One release of a run, before it is drawn.

    Attributes:
        quantity: the released quantity.
        share: its share of the run's μ².
        is_optional: whether a run may leave it out, as a spectral start may that stops early.
    """

    quantity: Quantity
    share: float
    is_optional: bool = False
