"""Noise that a release or a session draws from the operating system, drawn from a seed while tests run.

Such noise would be another in every run, and a test whose outcome hangs on it would fail by chance. In the process of
the tests its two sources, the noise of releases and the bytes of secrets, are drawn from a stream that is named after
the test or the shared fixture that asks for them. The law is the same; the same test always meets the same numbers.

A test marked ``fresh_noise`` draws from the operating system. It says how seldom it fails by chance.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pytest

from dplda.core.types import Vector
from dplda.privacy.noise import exact, keys

MARKER = "fresh_noise"

_system_noisy = exact._noisy
_system_secrets = keys.secrets
_lock = threading.Lock()
_streams: list[np.random.Generator | None] = [None]
"""Streams of the tests and fixtures that run, the innermost last; None draws from the operating system."""


@contextmanager
def noise_named(name: str | None) -> Iterator[None]:
    """Draw noise from the stream of this name meanwhile; from the operating system if it is None."""
    seed = None if name is None else int.from_bytes(name.encode())
    _streams.append(None if seed is None else np.random.default_rng(seed))
    try:
        yield
    finally:
        _streams.pop()


@contextmanager
def zero_noise() -> Iterator[None]:
    """Releases have noise of zero meanwhile, so that what is found is decided by the documents."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(exact, "_noisy", lambda numbers, scale: numbers.astype(np.float64))
        yield


def stream_name(node: pytest.Item | pytest.Collector, name: str) -> str | None:
    """The name itself; None where the test or its file is marked to draw fresh noise."""
    return None if node.get_closest_marker(MARKER) else name


def seed_noise() -> None:
    """From now on this process draws noise from the stream that was named last."""
    exact._noisy = _noisy
    keys.secrets = SimpleNamespace(token_bytes=_token_bytes)


def _noisy(numbers: Vector, scale: float) -> Vector:
    """Numbers with normal noise, rounded to whole numbers; arguments as in ``exact._noisy``."""
    stream = _streams[-1]
    if stream is None:
        return _system_noisy(numbers, scale)
    with _lock:
        normals = stream.standard_normal(len(numbers))
    noise = np.rint(scale * normals).astype(np.int64)
    return (numbers + noise).astype(np.float64)


def _token_bytes(n_bytes: int) -> bytes:
    stream = _streams[-1]
    if stream is None:
        return _system_secrets.token_bytes(n_bytes)
    with _lock:
        return stream.bytes(n_bytes)
