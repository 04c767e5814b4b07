"""Keys of simulated noise: a public seed, or a secret that nobody keeps.

Each purpose has its own stream, so two quantities, configurations or methods never share a number.
On simulated and public corpora the key is a seed without ε: a slider moves topics smoothly, and the
seed repeats the draw. On sensitive documents a chosen or seen seed would undo the noise, and so
would two draws of one key at two ε: there the key is a secret from the operating system together
with everything that identifies the run.
"""

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NoReturn, Protocol

import numpy as np


class NoiseKind(StrEnum):
    """Kinds of noise, by what a release with it is good for."""

    SEEDED = "simulated"
    SECRET = "simulated, keyed by a secret"
    EXACT = "Gaussian, exact"
    NONE = "none"


class NoiseKey(Protocol):
    """Source of one run's random numbers."""

    @property
    def kind(self) -> NoiseKind:
        """Kind of noise that this key gives."""

    def generator(self, purpose: str) -> np.random.Generator:
        """The stream of a purpose: distinct for each, the same when asked again."""


@dataclass(frozen=True, slots=True)
class SeedKey:
    """A public key.

    Attributes:
        seed: a whole number ≥ 0.
        scope: what the noise is for; runs of equal seed and scope share noise.
    """

    seed: int
    scope: tuple[str, ...] = ()
    kind = NoiseKind.SEEDED

    def generator(self, purpose: str) -> np.random.Generator:
        """The stream of a purpose: distinct for each, the same when asked again."""
        return _generator([self.seed, *self.scope, purpose], b"")


class Secret:
    """32 bytes from the operating system, in memory only, never copied.

    Args:
        handed_over: the bytes of a parent process's secret; None to draw new ones.
    """

    __slots__ = ("_bytes",)

    def __init__(self, handed_over: bytes | None = None) -> None:
        self._bytes = handed_over or secrets.token_bytes(32)

    def hand_over(self) -> bytes:
        """The bytes that recreate this secret in a child process; for its pipe only."""
        return self._bytes

    def __repr__(self) -> str:
        return "Secret()"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is kept in memory alone, never in a file")

    def generator(self, words: list[str | int]) -> np.random.Generator:
        """A stream that nobody can draw without the secret."""
        return _generator(words, self._bytes)


@dataclass(frozen=True, slots=True)
class SecretKey:
    """A secret key.

    Attributes:
        scope: everything that identifies the run; equal scopes of one secret give the same draw.
        secret: bytes from the operating system, new by default.
    """

    scope: tuple[str, ...]
    secret: Secret = field(default_factory=Secret)
    kind = NoiseKind.SECRET

    def generator(self, purpose: str) -> np.random.Generator:
        """The stream of a purpose: distinct for each, the same when asked again."""
        return self.secret.generator([*self.scope, purpose])


def _generator(words: list[str | int], secret: bytes) -> np.random.Generator:
    """Random numbers of a keyed hash of these words; an empty secret keys nothing."""
    message = json.dumps(words).encode()
    keyed_hash = hashlib.blake2b(message, key=secret, digest_size=32, person=b"dplda noise")
    seed = int.from_bytes(keyed_hash.digest())
    return np.random.default_rng(seed)
