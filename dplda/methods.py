"""A method of a sweep: what makes topics of documents, by its name and calibration."""

from dataclasses import dataclass

from dplda.configurations import REGISTRY, Calibration
from dplda.errors import InputError
from dplda.privacy.release import Status

UNNOISED, VI, DP_VI, UNIGRAM = "unnoised", "vi", "dp-vi", "unigram"

_WITHOUT_EPSILON = {
    UNNOISED: "Spectral, no noise",
    VI: "Variational inference",
    UNIGRAM: "Unigram",
}
_DP_VI_STATUS = {Calibration.CORRECTED: Status.PROVEN, Calibration.PUBLISHED: Status.AS_PUBLISHED}

NAMES = (*_WITHOUT_EPSILON, *REGISTRY, DP_VI)
"""Every method there is, by name."""


@dataclass(frozen=True, slots=True)
class Method:
    """One way from documents to topics.

    Attributes:
        name: ``unnoised``, ``vi``, ``unigram``, ``dp-vi``, or a configuration in ``dplda.configurations.REGISTRY``.
        calibration: how noise is scaled; the recommended way unless said otherwise, None where there is no noise.

    Raises:
        InputError: another name, or a calibration that the method has not.
    """

    name: str
    calibration: Calibration | None = None

    def __post_init__(self) -> None:
        if self.name not in NAMES:
            raise InputError("method", "one of " + ", ".join(NAMES), "another name")
        known = self._calibrations()
        if not known:
            if self.calibration is not None:
                raise InputError("calibration", f"left out for {self.name}, which adds no noise", "one")
            return
        calibration = next(iter(known)) if self.calibration is None else self.calibration
        if calibration not in known:
            raise InputError("calibration", f"one of {', '.join(known)} for {self.name}", "another one")
        object.__setattr__(self, "calibration", Calibration(calibration))

    @classmethod
    def parse(cls, text: object) -> "Method":
        """A method from its text: a name, or a name, a slash and a calibration, as in ``config-1/as published``."""
        if not isinstance(text, str):
            raise InputError("method", "a text", f"a value of type {type(text).__name__}")
        name, slash, calibration = text.partition("/")
        if slash and calibration not in list(Calibration):
            raise InputError("calibration", "one of " + ", ".join(Calibration), "another one")
        return cls(name, Calibration(calibration) if slash else None)

    @property
    def text(self) -> str:
        """The text that ``parse`` reads back; the calibration is always spelled out."""
        return self.name if self.calibration is None else f"{self.name}/{self.calibration}"

    @property
    def title(self) -> str:
        """For people; the calibration is named where it is not the recommended one."""
        if self.name in _WITHOUT_EPSILON:
            return _WITHOUT_EPSILON[self.name]
        title = "DP variational inference" if self.name == DP_VI else REGISTRY[self.name].title
        recommended = self.calibration == next(iter(self._calibrations()))
        return title if recommended else f"{title}, {self.calibration}"

    @property
    def needs_epsilon(self) -> bool:
        """Whether there is noise, and so a budget."""
        return self.name not in _WITHOUT_EPSILON

    @property
    def status(self) -> Status:
        """The most that may be claimed of its results."""
        if self.calibration is None:
            return Status.NOT_PRIVATE
        if self.name == DP_VI:
            return _DP_VI_STATUS[self.calibration]
        return REGISTRY[self.name].variants[self.calibration].status

    @property
    def quantities(self) -> tuple[str, ...]:
        """Names that a split of its budget must use; empty where there is nothing to split."""
        if self.name not in REGISTRY or self.calibration is None:
            return ()
        return REGISTRY[self.name].variants[self.calibration].quantities

    def _calibrations(self) -> tuple[Calibration, ...]:
        if self.name in REGISTRY:
            return tuple(REGISTRY[self.name].variants)
        return tuple(_DP_VI_STATUS) if self.name == DP_VI else ()
