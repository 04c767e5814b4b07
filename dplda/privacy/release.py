"""Releases and guarantees: private values that carry their proof."""

import math
from dataclasses import InitVar, dataclass, field
from enum import StrEnum

from dplda.core import checks
from dplda.core.types import Matrix, Tensor3, Vector
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.privacy.accounting.risk import Risk, risk_of
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.noise.keys import NoiseKind

_MINT = object()  # only mechanisms hold it


class Status(StrEnum):
    """Strength of what may be claimed of a result."""

    PROVEN = "proven"
    AS_PUBLISHED = "as published"
    NOT_PRIVATE = "not private"


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """One noisy value, and the reason why its noise is enough.

    Attributes:
        name: key of the quantity in a plan's split.
        edge: edge of the flow on which it is released.
        quantity: its name in words.
        symbol: its letter in formulas.
        shape: shape of the value; empty for a number.
        mechanism: law of the noise and the coordinates that have it, in words.
        sensitivity: largest L2 change by one document, in the quantity's unit; L1 for Laplace
            noise.
        scale: standard deviation of the noise on one coordinate, in the same unit; Laplace scale
            for Laplace noise.
        mu: ``sensitivity/scale`` of Gaussian noise; squares add up. 0 for Laplace noise and for
            random minibatches.
        adjacency: neighbors that the sensitivity is of.
        noise: kind of noise, exact or simulated.
        value: the noisy value; the last one of several steps.
        pure_epsilon: ε of Laplace noise; adds up. 0 for Gaussian noise.
        sampling_rate: chance of each document to be in the sum; 1 where all are.
        steps: how many equal releases in a row this one stands for.
    """

    name: str
    edge: str
    quantity: str
    symbol: str
    shape: tuple[int, ...]
    mechanism: str
    sensitivity: float
    scale: float
    mu: float
    adjacency: Adjacency
    noise: NoiseKind
    value: Vector | Matrix | Tensor3 | float = field(repr=False)
    pure_epsilon: float = 0.0
    sampling_rate: float = 1.0
    steps: int = 1
    _mint: InitVar[object] = None  # not stored: else a copy with other fields would count as minted

    def __post_init__(self, _mint: object) -> None:
        """Refuse to be made by anything but a mechanism, by TypeError."""
        if _mint is not _MINT:
            raise TypeError(
                "a Release is made by a mechanism in dplda.privacy.mechanisms, never directly"
            )

    @property
    def noise_multiplier(self) -> float:
        """Standard deviation per unit of sensitivity, ``1/μ``."""
        return self.scale / self.sensitivity


class Caveat(StrEnum):
    """A gap between a theorem on the mechanism and this draw of it; the words of a badge."""

    SIMULATED = "this draw is simulated, for exploring only"
    SEED = "noise from a seed that was chosen or seen: not private"
    VOCABULARY = "vocabulary from the documents: not private"
    GROUPS = "groups from the documents: not private"
    SPLIT = "split chosen on these documents: not private"
    DELTA = "a δ of 1/N or more: it allows showing one of the N whole now and then"
    LOOKED = (
        "its owner saw results without noise on these documents before this request,"
        " which ε does not cover"
    )
    TRIED = (
        "its owner tried settings on these documents before this request, which ε does not cover"
    )

    @property
    def breaks_privacy(self) -> bool:
        """Whether the caveat makes the result not private, however good its mechanism is."""
        return self in (Caveat.SEED, Caveat.VOCABULARY, Caveat.GROUPS, Caveat.SPLIT)


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A theorem on the mechanism, with the caveats of this draw.

    Attributes:
        mechanism: status of the mechanism, whatever this draw is.
        claimed_epsilon: ε of the mechanism.
        claimed_delta: δ of the mechanism.
        caveats: gaps between the theorem and this draw.
        adjacency: neighbors that are hard to distinguish.
        rests_on: assumptions as sentences; for a mechanism that is not private, the reason comes
            first.
        releasable: whether the result may leave.
        is_gaussian: whether all noise is Gaussian, so that guesses are right less often than ε and
            δ alone allow; δ covers selected words and exact noise.
        risk_of_losses: by the privacy loss distribution of noise that is not all Gaussian; None
            where ε and δ decide.
    """

    mechanism: Status
    claimed_epsilon: float
    claimed_delta: float
    caveats: tuple[Caveat, ...]
    adjacency: Adjacency
    rests_on: tuple[str, ...]
    releasable: bool
    is_gaussian: bool = False
    risk_of_losses: Risk | None = None

    def __post_init__(self) -> None:
        """Refuse to claim a δ that promises nothing, with an ``InputError``.

        A δ of 0 is allowed, and any δ of a mechanism that is not private.
        """
        if self.mechanism is not Status.NOT_PRIVATE:
            checks.delta(self.claimed_delta, may_be_none=True)

    @property
    def status(self) -> Status:
        """Status of this draw: the mechanism's, or not private where a caveat breaks it."""
        if any(caveat.breaks_privacy for caveat in self.caveats):
            return Status.NOT_PRIVATE
        return self.mechanism

    @property
    def claimed_risk(self) -> Risk:
        """Largest risk that the mechanism allows for one document or person."""
        if self.risk_of_losses is not None:
            return self.risk_of_losses
        return risk_of(self.claimed_epsilon, self.claimed_delta, is_gaussian=self.is_gaussian)

    def describe_parameters(self) -> str:
        """ε and δ of the mechanism to three digits, rounded up, for brackets."""
        epsilon = format_rounded_up(self.claimed_epsilon)
        delta = format_rounded_up(self.claimed_delta)
        return f"ε = {epsilon}, δ = {delta}"

    def describe_risk(self) -> str:
        """The two sentences on risk; empty unless this draw's guarantee is proven."""
        if self.status is not Status.PROVEN:
            return ""
        return self.claimed_risk.describe(self.adjacency.unit)

    @property
    def epsilon(self) -> float:
        """ε of this draw; infinity where it is not private."""
        if self.status is Status.NOT_PRIVATE:
            return math.inf
        return self.claimed_epsilon

    @property
    def delta(self) -> float:
        """δ of this draw; 1 where it is not private."""
        if self.status is Status.NOT_PRIVATE:
            return 1.0
        return self.claimed_delta

    def in_words(self) -> str:
        """Text of a badge: a sentence on the mechanism with its ε and δ, then one for each caveat.

        Of a mechanism as published it adds that the proof has a gap. Without privacy the reason
        alone, or that no noise was added.
        """
        if self.mechanism is Status.NOT_PRIVATE:
            reason = self.rests_on[0] if self.rests_on else "no noise was added."
            return f"Not private: {reason}"
        caveat_sentences = "".join(f" {caveat[:1].upper()}{caveat[1:]}." for caveat in self.caveats)
        promise = f"({self.describe_parameters()})"
        if self.mechanism is Status.PROVEN:
            return (
                f"Proven: {promise}-differentially private when {self.adjacency.change}."
                f"{caveat_sentences}"
            )
        return (
            f"As published: meant to be {promise}-differentially private;"
            f" the published proof has a known gap.{caveat_sentences}"
        )
