"""A lesson's picture, made live from settings, with the numbers that its text may use."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import ClassVar

from dplda.core.types import Report
from dplda.figures import Figure
from dplda.theory.prediction.regime_axes import Point


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A figure and its finite numbers.

    Attributes:
        numbers: by the names in the view's ``number_meanings``.
        figure: the figure.
    """

    numbers: Mapping[str, float]
    figure: Figure


class PictureView(ABC):
    """A kind of picture: a frozen dataclass whose fields are a lesson's settings."""

    number_meanings: ClassVar[Mapping[str, str]]
    """Names and descriptions of its numbers."""
    depends_on_seed: ClassVar[bool] = False
    """Whether it depends on the noise seed."""

    @abstractmethod
    def make_picture(self, seed: int, report: Report) -> Picture:
        """Make the picture with the noise of a seed.

        ``report`` receives progress and may raise to cancel.
        """

    @property
    def settings(self) -> dict[str, str | int | float]:
        """Its fields by name, without flags that only affect the display."""
        fields_by_name = asdict(self)  # type: ignore[call-overload]  # every view is a dataclass
        return {
            name: value for name, value in fields_by_name.items() if not isinstance(value, bool)
        }


class PublicNumbersView(PictureView):
    """A view whose fields include every number of a ``Point``."""

    @property
    def _point(self) -> Point:
        return Point(**{field.name: getattr(self, field.name) for field in fields(Point)})
