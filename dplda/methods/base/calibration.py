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


Scaling: TypeAlias = Calibration | NoiseLaw | AuthorsNoise
"""Calibration, law or the authors' noise: the key of a variant within its configuration."""
