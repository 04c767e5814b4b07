"""What a step of a lesson shows: a picture, made live from settings, and the numbers that may be told of it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import ClassVar

from dplda.core.types import Report
from dplda.figures import Figure
from dplda.theory.prediction.regime_axes import Point


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture and its numbers.

    Attributes:
        numbers: by name, as in the view's ``tells``; all finite.
    """

    numbers: Mapping[str, float]
    figure: Figure


class PictureView(ABC):
    """A kind of picture: a frozen dataclass, whose fields are the settings that a lesson may ask for."""

    tells: ClassVar[Mapping[str, str]]
    """What its numbers are called, and what each is."""
    draws: ClassVar[bool] = False
    """Whether it depends on the noise seed."""

    @abstractmethod
    def look(self, seed: int, report: Report) -> Picture:
        """Make the picture with the noise of a seed; ``report`` is told how far it is, and may raise to give up."""

    @property
    def settings(self) -> dict[str, str | int | float]:
        """Its fields by name, those that only say how it is shown left out."""
        every = asdict(self)  # type: ignore[call-overload]  # every view is a dataclass
        return {name: value for name, value in every.items() if not isinstance(value, bool)}


class OfPublicNumbers(PictureView):
    """A view whose fields hold every number of a ``Point``, by the same names."""

    @property
    def _point(self) -> Point:
        """The numbers, checked."""
        return Point(**{field.name: getattr(self, field.name) for field in fields(Point)})
