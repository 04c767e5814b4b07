"""Run cards: a run as a file, enough to repeat it and to check its noise by hand."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.versions import installed_version
from dplda.corpus import Corpus, Label, LengthLaw, Simulation
from dplda.evaluation.relevance import named
from dplda.experiments.settings import Card, CorpusKind, Settings, settings_of_plan
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.configurations.plan import Plan
from dplda.methods.registry import parse_method
from dplda.privacy.release import Release

FORMAT = "dplda run card"
FORMAT_VERSION = 1
_NUMBERS = ("sensitivity", "scale", "mu", "pure_epsilon", "sampling_rate")
_FACTS = "edge quantity symbol shape mechanism sensitivity scale mu pure_epsilon adjacency noise sampling_rate steps"
_PROMISE = "status mechanism caveats delta adjacency rests_on releasable"
LARGEST_CARD = 1_000_000  # characters; a card has a few thousand


def run_card(
    found: FitResult,
    settings: Settings,
    corpus: Corpus,
    kind: CorpusKind,
    simulation: Simulation | None = None,
    names: Sequence[str | None] = (),
) -> str:
    """A private run as JSON; it records the corpus' digest and size but no word. Names are as in ``Card``."""
    if not settings.method.needs_epsilon:
        raise InputError("run", "of a method with noise", "one without noise")
    if (
        corpus.label is Label.SENSITIVE
    ):  # with the digest, anyone could check a guess at the documents
        fix = "Release its topics instead."
        raise InputError("corpus", "simulated or public for a run card", "a sensitive one", fix)
    plan = settings.plan
    guarantee = found.guarantee
    content = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "corpus": {
            "kind": kind,
            **{
                name: getattr(corpus, name)
                for name in ("name", "label", "digest", "n_documents", "n_words")
            },
            "vocabulary": corpus.vocabulary_source,
            "simulation": asdict(simulation) if simulation else None,
        },
        "method": settings.method.key,
        "epsilon": settings.budget.epsilon,
        "delta": settings.budget.delta,
        "plan": None if plan is None else json.loads(plan.to_json()),
        "n_topics": settings.problem.n_topics,
        "alpha0": settings.problem.alpha0,
        "seed": settings.seed,
        "resolved": found.topics.resolved,
        "names": list(names),
        "releases": [_release(release) for release in found.releases],
        "guarantee": {
            **{name: getattr(guarantee, name) for name in _PROMISE.split()},
            "epsilon": guarantee.epsilon if math.isfinite(guarantee.epsilon) else None,
            "in_words": guarantee.in_words(),
        },
        "versions": {name: installed_version(name) for name in ("dplda", "numpy", "scipy")},
    }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)


def read_card(text: str) -> Card:
    """The run that a card describes; recorded outcomes are ignored."""
    if len(text) > LARGEST_CARD:
        raise InputError(
            "the run card", f"at most {LARGEST_CARD:,} characters long", f"{len(text):,}"
        )
    try:
        content = json.loads(text)
        if content["format"] != FORMAT:
            raise InputError("the run card", "a run card that dplda wrote", "another kind of JSON")
        if content["version"] != FORMAT_VERSION:
            fix = "Use the version of dplda that wrote it."
            raise InputError("the run card", f"of version {FORMAT_VERSION}", "another version", fix)
        kind = CorpusKind(content["corpus"]["kind"])
        drawn = content["corpus"]["simulation"]
        lengths = {"lengths": LengthLaw(drawn["lengths"])} if kind is CorpusKind.SIMULATED else {}
        simulation = Simulation(**{**drawn, **lengths}) if lengths else None
        problem, seed = Problem(content["n_topics"], content["alpha0"]), content["seed"]
        if content["plan"] is not None:  # cards of earlier versions name only their plan
            plan = Plan.from_json(json.dumps(content["plan"]))
            settings = settings_of_plan(plan, problem, seed)
        else:
            budget = Budget(content["epsilon"], content["delta"])
            settings = Settings(parse_method(content["method"]), problem, budget, seed)
            checks.epsilon(budget.epsilon)
            checks.delta(budget.delta)
            if settings.method.make_plan is not None or not settings.method.needs_epsilon:
                raise InputError(
                    "the run card", "one with a plan for a configuration", "one without"
                )
        checks.integer_at_least("n_topics", problem.n_topics, 2)
        checks.integer_at_least("seed", settings.seed, 0)
        names = tuple(named(name) for name in content.get("names", ()))
        if len(names) not in (0, problem.n_topics):
            raise InputError(
                "the run card", f"one that names all {problem.n_topics} topics, or none", "another"
            )
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        fix = "Choose a file that the button Run card saved."
        raise InputError(
            "the run card", "a complete JSON run card", "something else", fix
        ) from error
    return Card(kind, simulation, settings, names)


def _release(release: Release) -> dict[str, object]:
    told = {name: getattr(release, name) for name in _FACTS.split()}
    return {name: float(value) if name in _NUMBERS else value for name, value in told.items()}
