"""Releases and guarantees: private values that carry their proof."""

from dataclasses import InitVar, dataclass, field
from enum import StrEnum

from dplda._types import Matrix, Tensor3, Vector
from dplda.privacy.adjacency import Adjacency

_MINT = object()  # held by mechanisms alone


class Status(StrEnum):
    """What may be said of a result."""

    PROVEN = "proven"
    AS_PUBLISHED = "as published"
    NOT_PRIVATE = "not private"


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """One noisy value, and why the noise is enough.

    Attributes:
        edge: where in the flow it was made, e.g. ``"e2"``.
        quantity: what it is, in words.
        symbol: its letter in the formulas.
        shape: of the value.
        mechanism: the law of the noise, in words.
        sensitivity: how far one document can move the quantity, L2, in the quantity's unit.
        scale: standard deviation of the noise, in the same unit; for a quantity with several coordinates, of one.
        mu: ``sensitivity/scale``, the budget spent by Gaussian noise; squares add up. 0 for Laplace noise, and for
            sums over random minibatches, which compose by other rules.
        pure_epsilon: ε spent by Laplace noise; adds up. 0 for Gaussian noise.
        adjacency: which corpora are neighbours.
        noise: kind of the source, ``"simulated"`` or ``"release"``.
        value: the noisy value itself; left out of ``repr``. Of several steps, the last.
        sampling_rate: chance of each document to be in the sum; 1 where all are.
        steps: how many values of this kind were released one after the other.
    """

    edge: str
    quantity: str
    symbol: str
    shape: tuple[int, ...]
    mechanism: str
    sensitivity: float
    scale: float
    mu: float
    adjacency: Adjacency
    noise: str
    value: Vector | Matrix | Tensor3 | float = field(repr=False)
    pure_epsilon: float = 0.0
    sampling_rate: float = 1.0
    steps: int = 1
    _mint: InitVar[object] = None  # not kept: a copy with other fields would be minted by its original

    def __post_init__(self, _mint: object) -> None:
        if _mint is not _MINT:
            raise TypeError("a Release is made by a mechanism in dplda.privacy.mechanisms, never directly")

    @property
    def noise_multiplier(self) -> float:
        """Standard deviation per unit of sensitivity, ``1/μ``."""
        return self.scale / self.sensitivity


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What the releases together promise.

    Attributes:
        status: proven, as published, or not private.
        epsilon: ε, or infinity where nothing is promised.
        delta: δ.
        adjacency: which corpora are neighbours.
        rests_on: the assumptions, each a sentence.
        releasable: whether the result may leave the curator's hands under this guarantee.
    """

    status: Status
    epsilon: float
    delta: float
    adjacency: Adjacency
    rests_on: tuple[str, ...]
    releasable: bool

    def in_words(self) -> str:
        """One sentence for a badge."""
        if self.status is Status.NOT_PRIVATE:
            return "Not private: " + (self.rests_on[0] if self.rests_on else "no noise was added.")
        promise = f"(ε = {self.epsilon:g}, δ = {short(self.delta)})"
        if self.status is Status.PROVEN:
            return f"Proven: {promise}-differentially private when one document is replaced."
        return f"As published: meant to be {promise}-differentially private; the published proof has a known gap."


def short(number: float) -> str:
    """A number in the fewest digits, powers of ten without leading zeros: ``1e-7``."""
    text = f"{number:g}"
    mantissa, _, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else text
