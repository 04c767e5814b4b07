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
from dplda.corpus import Corpus, Label, LengthLaw, Simulation
from dplda.errors import InputError
from dplda.figures.lanes import Lane
from dplda.fitting.pipeline import Fit
from dplda.plan import Plan
from dplda.privacy.release import Release
from dplda.spreadsheet import harmless

FORMAT = "dplda run card"
FORMAT_VERSION = 1
LARGEST_CARD = 1_000_000  # characters; a card has a few thousand


class CorpusKind(StrEnum):
    """Where the documents come from."""

    EMBEDDED = "embedded"
    SIMULATED = "simulated"
    UPLOADED = "uploaded"


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


def run_card(fit: Fit, corpus: Corpus, kind: CorpusKind, simulation: Simulation | None = None, *, seed: int) -> str:
    """A private run as JSON: enough to repeat it, and to check its noise by hand.

    Args:
        fit: with a plan.
        corpus: that was fitted; its digest and size are recorded, none of its words.
        kind: where it came from.
        simulation: how it was drawn, where it was.
        seed: that the fit was run with.

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
        "seed": seed,
        "resolved": fit.topics.resolved,
        "releases": [_release(release) for release in fit.releases],
        "guarantee": {
            "status": guarantee.status,
            "mechanism": guarantee.mechanism,
            "caveats": guarantee.caveats,
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
            simulation = Simulation(**{**drawn, "lengths": LengthLaw(drawn["lengths"])})
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
    formula get an apostrophe in front; places below the noise have no rows. Where nothing is known of the share of
    signal its column is empty.
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
                word = harmless(vocabulary[index])
                share = repr(slot.overlap) if lane.shows_overlap else ""
                writer.writerow([slot.number, repr(slot.alpha), share, rank, word, repr(probability)])
    return table.getvalue()


def topics_json(lane: Lane, vocabulary: Sequence[str]) -> str:
    """Topics as JSON: for each place its number, α, signal share and words with probabilities, or ``null``."""
    topics = []
    for slot in lane.slots:
        words = None
        if slot.words is not None:
            order = np.argsort(-slot.words, kind="stable")
            words = {vocabulary[i]: float(slot.words[i]) for i in order if slot.words[i] > 0}
        share = slot.overlap if lane.shows_overlap else None
        topics.append({"topic": slot.number, "alpha": slot.alpha, "signal_share": share, "words": words})
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
