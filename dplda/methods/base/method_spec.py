"""Which method is meant: the one small value that names it from a link to another process."""

from dataclasses import dataclass

from dplda.methods.base.calibration import Scaling
from dplda.methods.base.prior_source import PriorSource


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodSpec:
    """A method by its choices: hashable, equal exactly where the methods are, and cheap to send.

    ``registry.parse_method_spec`` reads the written form, and ``registry.find_method`` gives the
    method.

    Attributes:
        name: as the registry lists it, such as ``refined`` or ``config-1``.
        scaling: calibration or law of its noise; None for a method without a choice.
        first_share: share of ε, in (0, 1), of the first of two releases; None for a single one.
        prior: public knowledge that it uses; None for none.
        prior_is_trusted: whether that is used without asking the documents.
    """

    name: str
    scaling: Scaling | None = None
    first_share: float | None = None
    prior: PriorSource | None = None
    prior_is_trusted: bool = False

    @property
    def text(self) -> str:
        """Its written form, as in ``config-1/as published`` or ``refined@0.3``.

        Public knowledge of an owner's own has none: who writes of it adds its digest.
        """
        calibrated = self.name if self.scaling is None else f"{self.name}/{self.scaling}"
        if self.first_share is None:
            return calibrated
        return f"{calibrated}@{self.first_share:g}"
