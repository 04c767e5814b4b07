"""What simulated noise is drawn from: a seed that anyone may know, or a secret that nobody keeps.

Noise is keyed by what it is for, so that two quantities, two configurations or two methods never share a number. On
simulated and public corpora the key holds a seed and leaves ε out: a slider moves topics smoothly, and whoever has the
seed repeats the draw. There is nothing to protect; such draws are for looking. On sensitive documents a seed that
somebody chose or saw would undo the noise, and two draws of one key at two ε would undo both: there the key is a
secret from the operating system together with everything that tells one run from another.
"""

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NoReturn, Protocol

import numpy as np


class NoiseKind(StrEnum):
    """What the noise in a release is good for."""

    SEEDED = "simulated"
    SECRET = "simulated, keyed by a secret"
    EXACT = "Gaussian, exact"
    NONE = "none"


class NoiseKey(Protocol):
    """Where the random numbers of one run come from."""

    @property
    def kind(self) -> NoiseKind:
        """What noise of this key is good for."""

    def generator(self, purpose: str) -> np.random.Generator:
        """A stream of its own for every purpose; the same again for the same purpose."""


@dataclass(frozen=True, slots=True)
class SeedKey:
    """A public key: a seed, and what the noise is for.

    Attributes:
        seed: at least 0.
        scope: of the run, e.g. configuration and calibration; what is left out shares its noise.
    """

    seed: int
    scope: tuple[str, ...] = ()
    kind = NoiseKind.SEEDED

    def generator(self, purpose: str) -> np.random.Generator:
        """A stream of its own for every purpose; the same again for the same purpose."""
        return _generator([self.seed, *self.scope, purpose], b"")


class Secret:
    """32 bytes from the operating system, held in memory alone: it has no text, no copy and no pickle.

    Args:
        handed: by the process that made it, to one that draws for it.
    """

    __slots__ = ("_bytes",)

    def __init__(self, handed: bytes | None = None) -> None:
        self._bytes = handed or secrets.token_bytes(32)

    def hand_over(self) -> bytes:
        """What makes the same secret in a process that this one started, for its pipe and for nothing else."""
        return self._bytes

    def __repr__(self) -> str:
        return "Secret()"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is kept in memory alone, never in a file")

    def generator(self, words: list[str | int]) -> np.random.Generator:
        """A stream that nobody without the secret can draw."""
        return _generator(words, self._bytes)


@dataclass(frozen=True, slots=True)
class SecretKey:
    """A secret key: the secret, and everything that tells this run from every other one.

    Attributes:
        scope: plan, corpus and public numbers; equal scopes of one secret are one and the same draw.
    """

    scope: tuple[str, ...]
    secret: Secret = field(default_factory=Secret)
    kind = NoiseKind.SECRET

    def generator(self, purpose: str) -> np.random.Generator:
        """A stream of its own for every purpose; the same again for the same purpose."""
        return self.secret.generator([*self.scope, purpose])


def _generator(words: list[str | int], secret: bytes) -> np.random.Generator:
    digest = hashlib.blake2b(json.dumps(words).encode(), key=secret, digest_size=32, person=b"dplda noise").digest()
    return np.random.default_rng(int.from_bytes(digest))
