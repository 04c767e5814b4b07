"""Run cards: a run as a file, enough to repeat it and to check its noise by hand."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import cast

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.versions import installed_version
from dplda.corpus import Corpus, Label, LengthLaw, Simulation
from dplda.evaluation.relevance import clean_topic_name
from dplda.experiments.experiment import (
    CorpusKind,
    CorpusSource,
    Experiment,
    HeldDocuments,
    kind_of_source,
)
from dplda.experiments.shares_choice import SharesChoice
from dplda.experiments.sources import Embedded
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.configurations.plan import Plan
from dplda.methods.registry import parse_method_spec
from dplda.privacy.release import Guarantee, Release

FORMAT = "dplda run card"
FORMAT_VERSION = 1
LARGEST_CARD = 1_000_000  # characters; a card has a few thousand
_NUMBERS = ("sensitivity", "scale", "mu", "pure_epsilon", "sampling_rate")
_RELEASE_FIELDS = (
    "edge",
    "quantity",
    "symbol",
    "shape",
    "mechanism",
    "sensitivity",
    "scale",
    "mu",
    "pure_epsilon",
    "adjacency",
    "noise",
    "sampling_rate",
    "steps",
)
_GUARANTEE_FIELDS = (
    "status",
    "mechanism",
    "caveats",
    "delta",
    "adjacency",
    "rests_on",
    "releasable",
)
_NO_CARD = "Choose a file that the button Run card saved."


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCard:
    """The contents of a run card, without the recorded outcomes.

    Attributes:
        experiment: what was run.
        topic_names: in the run's order; None for a topic without a name; empty for none at all.
    """

    experiment: Experiment
    topic_names: tuple[str | None, ...] = ()


def run_card(
    result: FitResult,
    experiment: Experiment,
    corpus: Corpus,
    topic_names: Sequence[str | None] = (),
) -> str:
    """Write a private run as JSON; it records the corpus' digest and size but no word.

    The table of shares is described only if the experiment has one.

    Args:
        topic_names: as in ``RunCard``.

    Raises:
        InputError: the method adds no noise, or the corpus is sensitive: with the digest, anyone
            could check a guess at the documents.
    """
    if not experiment.registered_method.needs_epsilon:
        raise InputError("run", "of a method with noise", "one without noise")
    if corpus.label is Label.SENSITIVE:
        advice = "Release its topics instead."
        raise InputError("corpus", "simulated or public for a run card", "a sensitive one", advice)
    plan = experiment.plan
    card_fields = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "corpus": _corpus_facts(corpus, experiment.corpus),
        "method": experiment.method.text,
        "epsilon": experiment.budget.epsilon,
        "delta": experiment.budget.delta,
        "plan": None if plan is None else json.loads(plan.to_json()),
        "n_topics": experiment.problem.n_topics,
        "alpha0": experiment.problem.alpha0,
        "seed": experiment.seed,
        "resolved": result.topics.resolved,
        "names": list(topic_names),
        "releases": [_release_facts(noisy_release) for noisy_release in result.releases],
        "guarantee": _guarantee_facts(result.guarantee),
        "versions": {
            package_name: installed_version(package_name)
            for package_name in ("dplda", "numpy", "scipy")
        },
    }
    if experiment.shares is not None:
        card_fields["shares"] = asdict(experiment.shares)
    return json.dumps(card_fields, indent=2, ensure_ascii=False, allow_nan=False)


def read_card(text: str) -> RunCard:
    """Read the run that a card describes; recorded outcomes are ignored.

    Raises:
        InputError: it is longer than ``LARGEST_CARD``, no card of this version, or one that cannot
            be run.
    """
    if len(text) > LARGEST_CARD:
        length_limit = f"at most {LARGEST_CARD:,} characters long"
        raise InputError("the run card", length_limit, f"{len(text):,}")
    try:
        card_fields = json.loads(text)
        _check_format(card_fields)
        experiment = _read_experiment(card_fields)
        return RunCard(
            experiment=experiment,
            topic_names=_read_names(card_fields.get("names", ()), experiment.problem.n_topics),
        )
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise InputError(
            "the run card", "a complete JSON run card", "something else", _NO_CARD
        ) from error


def _corpus_facts(corpus: Corpus, source: CorpusSource) -> dict[str, object]:
    """Kind, name, label, digest, size and vocabulary's source of the documents; no word.

    A simulation's settings are added, so that it can be drawn again.
    """
    return {
        "kind": kind_of_source(source),
        "name": corpus.name,
        "label": corpus.label,
        "digest": corpus.digest,
        "n_documents": corpus.n_documents,
        "n_words": corpus.n_words,
        "vocabulary": corpus.vocabulary_source,
        "simulation": asdict(source) if isinstance(source, Simulation) else None,
    }


def _release_facts(release: Release) -> dict[str, object]:
    facts = {name: getattr(release, name) for name in _RELEASE_FIELDS}
    return facts | {name: float(facts[name]) for name in _NUMBERS}


def _guarantee_facts(guarantee: Guarantee) -> dict[str, object]:
    facts: dict[str, object] = {name: getattr(guarantee, name) for name in _GUARANTEE_FIELDS}
    facts["epsilon"] = guarantee.epsilon if math.isfinite(guarantee.epsilon) else None
    facts["in_words"] = guarantee.in_words()
    return facts


def _check_format(content: Mapping[str, object]) -> None:
    if content["format"] != FORMAT:
        raise InputError("the run card", "a run card that dplda wrote", "another kind of JSON")
    if content["version"] != FORMAT_VERSION:
        fix = "Use the version of dplda that wrote it."
        raise InputError("the run card", f"of version {FORMAT_VERSION}", "another version", fix)


def _read_experiment(content: dict[str, object]) -> Experiment:
    """Read the experiment of a card, by its noise plan if there is one, else method and budget.

    Raises:
        InputError: a number is out of range, a configuration has no plan, or the method adds no
            noise.
        KeyError, TypeError, ValueError: a field is missing, or of another kind.
    """
    corpus_source = _read_source(cast("Mapping[str, object]", content["corpus"]))
    problem = Problem(
        n_topics=cast(int, content["n_topics"]),
        alpha0=cast(float, content["alpha0"]),
    )
    seed = cast(int, content["seed"])
    shares = _read_shares(content.get("shares"))
    checks.integer_at_least("n_topics", problem.n_topics, 2)
    checks.integer_at_least("seed", seed, 0)
    if content["plan"] is not None:  # cards of earlier versions name only their plan
        plan = Plan.from_json(json.dumps(content["plan"]))
        experiment = Experiment.of_plan(plan, corpus=corpus_source, problem=problem, seed=seed)
        return replace(experiment, shares=shares)
    budget = Budget(
        epsilon=cast(float, content["epsilon"]),
        delta=cast(float, content["delta"]),
    )
    checks.epsilon(budget.epsilon)
    checks.delta(budget.delta)
    experiment = Experiment(
        corpus=corpus_source,
        method=parse_method_spec(content["method"]),
        problem=problem,
        budget=budget,
        seed=seed,
        shares=shares,
    )
    if experiment.plan is not None or not experiment.registered_method.needs_epsilon:
        raise InputError("the run card", "one with a plan for a configuration", "one without")
    return experiment


def _read_shares(facts: object) -> SharesChoice | None:
    """The table of shares that a card asks for; None where it asks for topics alone."""
    if facts is None:
        return None
    make_choice: Callable[..., SharesChoice] = SharesChoice
    return make_choice(**cast("Mapping[str, object]", facts))


def _read_source(facts: Mapping[str, object]) -> CorpusSource:
    """Make the source that a card names: the embedded corpus, an upload, or a simulation.

    Of an upload only that it was one.

    Raises:
        KeyError, TypeError, ValueError: the facts are incomplete, or of another kind.
    """
    kind = CorpusKind(cast(str, facts["kind"]))
    if kind is CorpusKind.EMBEDDED:
        return Embedded()
    if kind is CorpusKind.UPLOADED:
        return HeldDocuments()
    arguments = dict(cast("Mapping[str, object]", facts["simulation"]))
    arguments["lengths"] = LengthLaw(cast(str, arguments["lengths"]))
    make_simulation: Callable[..., Simulation] = Simulation
    return make_simulation(**arguments)


def _read_names(names: Sequence[object], n_topics: int) -> tuple[str | None, ...]:
    topic_names = tuple(clean_topic_name(name) for name in names)
    if len(topic_names) not in (0, n_topics):
        limit = f"one that names all {n_topics} topics, or none"
        raise InputError("the run card", limit, "another")
    return topic_names
