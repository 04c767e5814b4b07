"""Runs that are broken on purpose: an audit that lets them pass would be worth nothing."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.outside_audit.cases import Case, MakeMechanisms, method_case
from dplda.core.types import Matrix, Tensor3, Vector
from dplda.methods.registry import METHODS
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.named_quantity import NamedQuantity
from dplda.privacy.noise.fixed_point import FixedPointSum
from dplda.privacy.noise.layouts import Layout

BROKEN_METHODS = ("private-unigram", "adaptive/corrected")
Array = float | Vector | Matrix | Tensor3


class UsesValuesWithoutNoise(Mechanisms):
    """Adds noise, and goes on with the value without it."""

    def gaussian(self, quantity: NamedQuantity, value, layout, *, sensitivity: float, mu: float):
        """As in the base class, but for what comes back."""
        super().gaussian(quantity, value, layout, sensitivity=sensitivity, mu=mu)
        return np.copy(value) if np.ndim(value) else value


class AddsHalfTheNoise(Mechanisms):
    """Adds half of the noise that it declares."""

    def _noisy(self, quantity: NamedQuantity, value, layout: Layout, scale: float):
        return super()._noisy(quantity, value, layout, scale / 2)


class ScalesByADocument(Mechanisms):
    """Adds a little more noise where the documents have more of the first word."""

    def _noisy(self, quantity: NamedQuantity, value, layout: Layout, scale: float):
        first_number = 0.0 if isinstance(value, FixedPointSum) else float(np.ravel(value)[0])
        return super()._noisy(quantity, value, layout, scale * (1 + 1e-9 * first_number))


class AsksAgain(Mechanisms):
    """Releases a value a second time if a number in it is odd before noise."""

    def gaussian(self, quantity: NamedQuantity, value, layout, *, sensitivity: float, mu: float):
        """As in the base class, once or twice."""
        is_odd = round(1e6 * float(np.ravel(value)[0])) % 2
        for _ in range(is_odd):
            super().gaussian(quantity, value, layout, sensitivity=sensitivity, mu=mu)
        return super().gaussian(quantity, value, layout, sensitivity=sensitivity, mu=mu)


class UnderstatesSensitivity(Mechanisms):
    """Declares the part of one document for the difference of two."""

    def gaussian(self, quantity: NamedQuantity, value, layout, *, sensitivity: float, mu: float):
        """As in the base class, with a sensitivity √2 times too small."""
        return super().gaussian(
            quantity, value, layout, sensitivity=sensitivity / np.sqrt(2), mu=mu
        )


@dataclass(frozen=True, slots=True)
class Control:
    """A broken run.

    Attributes:
        fault: what is wrong with it.
        case: the run.
    """

    fault: str
    case: Case


BROKEN: dict[str, MakeMechanisms] = {
    "goes on with values without noise": UsesValuesWithoutNoise,
    "adds half of the declared noise": AddsHalfTheNoise,
    "scales noise by a document": ScalesByADocument,
    "asks again, by a number without noise": AsksAgain,
    "declares a sensitivity √2 times too small": UnderstatesSensitivity,
}


def controls() -> Iterator[Control]:
    """Every fault in every method that is broken."""
    for key in BROKEN_METHODS:
        for fault, make_mechanisms in BROKEN.items():
            yield Control(fault, method_case(key, METHODS[key], make_mechanisms=make_mechanisms))
