"""What leaves the dashboard as a file: the run card, which repeats a run, and tables of topics."""

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from dplda import _check
from dplda.corpus import Corpus, Label, Lengths
from dplda.errors import InputError
from dplda.figures.lanes import Lane
from dplda.pipeline import Fit
from dplda.plan import Plan
from dplda.privacy.release import Release

FORMAT = "dplda run card"
FORMAT_VERSION = 1
LARGEST_CARD = 1_000_000  # characters; a card has a few thousand
MOST_TOKENS = 30_000_000  # of a simulated corpus: seconds to draw, some hundred megabytes
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


class CorpusKind(StrEnum):
    """Where the documents come from."""

    EMBEDDED = "embedded"
    SIMULATED = "simulated"
    UPLOADED = "uploaded"


@dataclass(frozen=True, slots=True)
class Simulation:
    """Arguments of ``dplda.simulate``, within the limits of the dashboard.

    Attributes:
        n_documents: ``N``, 3 to 1,000,000.
        n_words: ``d``, 2 to 3,000: with noise on every pair of words, d² numbers are held in memory.
        n_topics: ``k`` of the truth, 2 to ``d`` and at most 100.
        alpha0: ``α0`` of the truth, above 0.
        mean_length: ``L``, 1 to 10,000 words; ``N·L`` at most 30 million.
        lengths: the law of the lengths.
        topic_concentration: above 0; small for topics of few words.
        seed: from 0.

    Raises:
        InputError: one of them is out of range.
    """

    n_documents: int = 20_000
    n_words: int = 500
    n_topics: int = 5
    alpha0: float = 1.0
    mean_length: int = 100
    lengths: Lengths = Lengths.POISSON
    topic_concentration: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        """Check every limit."""
        for name, value, low, high in (
            ("number of documents N", self.n_documents, 3, 1_000_000),
            ("vocabulary size d", self.n_words, 2, 3_000),
            ("number of true topics k", self.n_topics, 2, min(100, self.n_words)),
            ("mean length L", self.mean_length, 1, 10_000),
            ("seed of the documents", self.seed, 0, 2**31 - 1),
        ):
            _check.integer_at_least(name, value, low)
            _check.between(name, value, low, high, open_ends=False)
        _check.between("true α0", self.alpha0, 1e-4, 1e4, open_ends=False)
        _check.between("topic concentration", self.topic_concentration, 1e-3, 100, open_ends=False)
        if self.n_tokens > MOST_TOKENS:
            raise InputError(
                "N · L",
                f"at most {MOST_TOKENS:,} words in all",
                f"{self.n_tokens:,}",
                "Take fewer or shorter documents, or simulate from Python.",
            )

    @property
    def n_tokens(self) -> int:
        """``N·L``, words expected in all."""
        return self.n_documents * self.mean_length


@dataclass(frozen=True, slots=True)
class Settings:
    """What the sidebar holds.

    Attributes:
        plan: where noise enters.
        n_topics: ``k``.
        alpha0: ``α0``.
        seed: of the simulated noise and of the decomposition's starts.
    """

    plan: Plan
    n_topics: int
    alpha0: float
    seed: int


@dataclass(frozen=True, slots=True)
class Card:
    """What a run card says of the run that it repeats.

    Attributes:
        kind: where the documents came from.
        simulation: how they were drawn; None unless simulated.
        settings: everything else.
    """

    kind: CorpusKind
    simulation: Simulation | None
    settings: Settings


def run_card(fit: Fit, corpus: Corpus, kind: CorpusKind, simulation: Simulation | None = None) -> str:
    """A private run as JSON: enough to repeat it, and to check its noise by hand.

    Args:
        fit: with a plan.
        corpus: that was fitted; its digest and size are recorded, none of its words.
        kind: where it came from.
        simulation: how it was drawn, where it was.

    Raises:
        InputError: the fit is un-noised, or the corpus sensitive.
    """
    if fit.plan is None:
        raise InputError("fit", "of a plan", "an un-noised one")
    if corpus.label is Label.SENSITIVE:  # the digest alone would let anyone check a guess at the documents
        raise InputError("corpus", "simulated or public for a run card", "a sensitive one")
    guarantee = fit.guarantee
    content = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "corpus": {
            "kind": kind,
            "name": corpus.name,
            "label": corpus.label,
            "digest": corpus.digest,
            "n_documents": corpus.n_documents,
            "n_words": corpus.n_words,
            "vocabulary": corpus.vocabulary_source,
            "simulation": asdict(simulation) if simulation else None,
        },
        "plan": json.loads(fit.plan.to_json()),
        "n_topics": fit.shape.n_topics,
        "alpha0": fit.shape.alpha0,
        "seed": fit.seed,
        "resolved": fit.topics.resolved,
        "releases": [_release(release) for release in fit.releases],
        "guarantee": {
            "status": guarantee.status,
            "epsilon": guarantee.epsilon if math.isfinite(guarantee.epsilon) else None,
            "delta": guarantee.delta,
            "adjacency": guarantee.adjacency,
            "rests_on": guarantee.rests_on,
            "releasable": guarantee.releasable,
            "in_words": guarantee.in_words(),
        },
        "versions": {name: _version(name) for name in ("dplda", "numpy", "scipy")},
    }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)


def read_card(text: str) -> Card:
    """The run that a card describes.

    Args:
        text: as ``run_card`` wrote it; what only records the outcome is not looked at.

    Raises:
        InputError: it is no run card, of another version, or holds a value out of range.
    """
    if len(text) > LARGEST_CARD:
        raise InputError("the run card", f"at most {LARGEST_CARD:,} characters long", f"{len(text):,}")
    try:
        content = json.loads(text)
        if content["format"] != FORMAT:
            raise InputError("the run card", "a file that dplda wrote", "another kind of JSON")
        if content["version"] != FORMAT_VERSION:
            raise InputError("the run card", f"of version {FORMAT_VERSION}", "another version")
        kind = CorpusKind(content["corpus"]["kind"])
        drawn = content["corpus"]["simulation"]
        simulation = None
        if kind is CorpusKind.SIMULATED:
            simulation = Simulation(**{**drawn, "lengths": Lengths(drawn["lengths"])})
        settings = Settings(
            plan=Plan.from_json(json.dumps(content["plan"])),
            n_topics=content["n_topics"],
            alpha0=content["alpha0"],
            seed=content["seed"],
        )
        _check.integer_at_least("n_topics", settings.n_topics, 2)
        _check.positive("alpha0", settings.alpha0)
        _check.integer_at_least("seed", settings.seed, 0)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        fix = "Choose a file that this page's Run card button saved."
        raise InputError("the run card", "a complete JSON run card", "something else", fix) from error
    return Card(kind, simulation, settings)


def topics_csv(lane: Lane, vocabulary: Sequence[str]) -> str:
    """Topics as a table, one row for each topic and word, most probable first.

    Columns ``topic, alpha, signal_share, rank, word, probability``. Words that a spreadsheet would take for a
    formula get an apostrophe in front; places below the noise have no rows.
    """
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["topic", "alpha", "signal_share", "rank", "word", "probability"])
    for slot in lane.slots:
        if slot.words is None:
            continue
        for rank, index in enumerate(np.argsort(-slot.words, kind="stable"), start=1):
            probability = float(slot.words[index])
            if probability > 0:
                word = _harmless(vocabulary[index])
                writer.writerow([slot.number, repr(slot.alpha), repr(slot.overlap), rank, word, repr(probability)])
    return table.getvalue()


def topics_json(lane: Lane, vocabulary: Sequence[str]) -> str:
    """Topics as JSON: for each place its number, α, signal share and words with probabilities, or ``null``."""
    topics = []
    for slot in lane.slots:
        words = None
        if slot.words is not None:
            order = np.argsort(-slot.words, kind="stable")
            words = {vocabulary[i]: float(slot.words[i]) for i in order if slot.words[i] > 0}
        topics.append({"topic": slot.number, "alpha": slot.alpha, "signal_share": slot.overlap, "words": words})
    return json.dumps({"topics": topics}, indent=1, ensure_ascii=False, allow_nan=False)


def _release(release: Release) -> dict[str, object]:
    return {
        "edge": release.edge,
        "quantity": release.quantity,
        "symbol": release.symbol,
        "shape": list(release.shape),
        "mechanism": release.mechanism,
        "sensitivity": float(release.sensitivity),
        "scale": float(release.scale),
        "mu": float(release.mu),
        "pure_epsilon": float(release.pure_epsilon),
        "adjacency": release.adjacency,
        "noise": release.noise,
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "not installed"


def _harmless(word: str) -> str:
    return f"'{word}" if word.startswith(_FORMULA_STARTS) else word
