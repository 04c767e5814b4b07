"""Fits shipped with the program, made by ``python -m benchmarks teaching``; ignored once their code has changed."""

import hashlib
import pickle
from functools import cache
from pathlib import Path

from dplda.core import assets
from dplda.corpus import Corpus
from dplda.experiments.settings import Settings
from dplda.methods.method import TopicResult

PACKAGE, FOLDER = Path(__file__).resolve().parents[2], assets.folder() / "fits"
ROOMS = (
    "core",
    "corpus",
    "spectral",
    "privacy",
    "flow",
    "evaluation",
    "methods",
)  # whose code makes a fit


def file(corpus: Corpus, settings: Settings, *, noise: bool) -> Path:
    """Path of a shipped fit of simulated documents, if there is one; its name is a digest of all that it depends on."""
    asked = (settings.method.text, settings.problem, settings.budget, settings.seed, noise)
    name = hashlib.sha256(repr((corpus.digest, asked, _code())).encode()).hexdigest()[:16]
    return FOLDER / f"{name}.pickle"


def shipped(corpus: Corpus, settings: Settings, *, noise: bool) -> TopicResult | None:
    """The shipped fit by the current code; None if there is none."""
    path = file(corpus, settings, noise=noise)
    if not path.is_file():
        return None
    found: TopicResult = pickle.loads(
        path.read_bytes()
    )  # as trusted as the program's code beside it
    return found


@cache
def _code() -> str:
    digest = hashlib.sha256()
    for path in sorted(path for room in ROOMS for path in (PACKAGE / room).rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
