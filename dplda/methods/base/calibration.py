"""Ways of scaling a method's noise, which tell methods of one name apart."""

from enum import StrEnum
from typing import TypeAlias


class Calibration(StrEnum):
    """Scale of the noise: as proofs require, or as a paper prints it."""

    CORRECTED = "corrected"
    PUBLISHED = "as published"


class NoiseLaw(StrEnum):
    """Distribution of the noise on statistics."""

    GAUSSIAN = "Gaussian"
    LAPLACE = "Laplace"


class AuthorsNoise(StrEnum):
    """Scale of the noise in the authors' public code, which protects nobody.

    With *unscaled* sensitivities the figures of the paper can be had, but nobody read them there.
    """

    AS_READ = "authors' code"
    UNSCALED = "authors' code, unscaled"


class PublishedReading(StrEnum):
    """Another reading of a published method than the one its formulas print."""

    BY_DOCUMENT = "as published, each document"
    """DP variational inference that scales down every document, not the mean of a minibatch."""


Scaling: TypeAlias = Calibration | NoiseLaw | AuthorsNoise | PublishedReading
"""Calibration, law, the authors' noise or another reading: a variant's key in its family."""
