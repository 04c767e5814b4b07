"""Views of an experiment's public numbers alone."""

from dataclasses import fields

from dplda.lessons.picture import PictureView
from dplda.theory.prediction.regime_axes import Point


class OfPublicNumbers(PictureView):
    """A view whose fields hold every number of a ``Point``, by the same names."""

    @property
    def _point(self) -> Point:
        """The numbers, checked."""
        return Point(**{field.name: getattr(self, field.name) for field in fields(Point)})
