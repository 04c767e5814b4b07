"""One experiment as data: the value that goes from the slider to the noise.

A link, a run card, a script and the spec of a sweep are its written forms, a noise plan is made of
it, and ``fit`` runs it. It names its documents and its method; it holds neither.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from dplda.core.errors import InputError
from dplda.corpus import Corpus, Label, Simulation, VocabularySource
from dplda.corpus.on_disk import AnyCorpus
from dplda.experiments.shares_choice import SharesChoice
from dplda.experiments.sources import Embedded, FileSource
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import DEFAULT_RUNTIME, Runtime
from dplda.methods.configurations.plan import Plan, plan_of_method
from dplda.methods.registry import find_method, parse_method_spec


class CorpusKind(StrEnum):
    """The source of an experiment's documents, as written forms call it."""

    EMBEDDED = "embedded"
    SIMULATED = "simulated"
    UPLOADED = "uploaded"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldDocuments:
    """Documents that somebody holds and that no description restores.

    Attributes:
        digest: of the corpus; empty where only the kind of source matters.
        label: who may see them; None as above.
        vocabulary_source: where the word list comes from; None as above.
    """

    digest: str = ""
    label: Label | None = None
    vocabulary_source: VocabularySource | None = None

    @classmethod
    def of_corpus(cls, corpus: Corpus) -> "HeldDocuments":
        """All of a corpus on which a fit and its guarantee depend."""
        return cls(
            digest=corpus.digest,
            label=corpus.label,
            vocabulary_source=corpus.vocabulary_source,
        )


CorpusSource: TypeAlias = Simulation | Embedded | FileSource | HeldDocuments
"""Where documents come from: small, hashable, and without a document."""


def kind_of_source(source: CorpusSource) -> CorpusKind:
    """The kind of a source; one's own files and the documents of a session are both *uploaded*."""
    if isinstance(source, Simulation):
        return CorpusKind.SIMULATED
    if isinstance(source, Embedded):
        return CorpusKind.EMBEDDED
    return CorpusKind.UPLOADED


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """Documents, method, problem, budget and seed of one run, and the table of shares after it.

    Attributes:
        corpus: where the documents come from.
        method: which method runs.
        problem: the topics to find.
        budget: ε, δ and how they are split.
        seed: of simulated noise and of the method's own random numbers; a release ignores it.
        shares: topic shares by group that are asked for, too; None for topics alone.
    """

    corpus: CorpusSource
    method: MethodSpec
    problem: Problem
    budget: Budget
    seed: int = 0
    shares: SharesChoice | None = None

    @classmethod
    def of_plan(
        cls, plan: Plan, *, corpus: CorpusSource, problem: Problem, seed: int
    ) -> "Experiment":
        """The experiment of a spectral configuration with this noise plan, for topics alone."""
        return cls(
            corpus=corpus,
            method=parse_method_spec(plan.method),
            problem=problem,
            budget=plan.budget,
            seed=seed,
        )

    @property
    def registered_method(self) -> Method:
        """The method itself, as the registry lists it."""
        return find_method(self.method)

    @property
    def plan(self) -> Plan | None:
        """Its noise plan; None for a method other than a spectral configuration."""
        return plan_of_method(self.method, self.budget)

    def on_documents(self, corpus: Corpus) -> "Experiment":
        """The topics on these very documents: equal for equal digests, so that it names a result.

        Shares by group come after the topics and do not change them.
        """
        return replace(self, corpus=HeldDocuments.of_corpus(corpus), shares=None)

    def without_noise(self, method: MethodSpec) -> "Experiment":
        """The experiment with ``method``, whose noiseless topics are compared with this one's.

        It keeps ε and δ only where they set the clipping, and never the split of the budget.
        Its seed is 0, as nothing is drawn. Everything else stays.
        """
        registered_method = find_method(method)
        budget = Budget()
        if registered_method.needs_epsilon and registered_method.clipping_depends_on_epsilon:
            budget = Budget(self.budget.epsilon, self.budget.delta)
        elif registered_method.needs_epsilon:
            budget = Budget(1.0, 1e-6)  # of no effect
        return replace(self, method=method, budget=budget, seed=0)


def fit(
    experiment: Experiment,
    corpus: AnyCorpus,
    runtime: Runtime = DEFAULT_RUNTIME,
    *,
    method: Method | None = None,
    previous: PreviousRelease | None = None,
) -> FitResult:
    """Fit an experiment to its documents; pages, commands, sweeps and releases run it here.

    Args:
        corpus: the documents that ``experiment.corpus`` describes.
        runtime: resources; the experiment's seed takes the place of theirs.
        method: the method itself, where no registry lists it; None for the registered one.
        previous: an earlier release to continue, so that the budget is that of both together; None
            for a run of its own.

    Raises:
        InputError: there is a release to continue, and the method cannot continue one.
        DpldaError: the method refuses, with the reason.
    """
    method = method or experiment.registered_method
    problem = experiment.problem
    budget = experiment.budget
    seeded_runtime = replace(runtime, seed=experiment.seed)
    if previous is None:
        return method.fit(corpus, problem, budget, seeded_runtime)
    if method.fit_continued is None:
        requirement = "one that can continue a release"
        raise InputError("method", requirement, method.title, "Choose Refined, or release anew.")
    return method.fit_continued(previous, corpus, problem, budget, seeded_runtime)
