"""An experiment as data: which documents, which method, and what is asked of it."""

from dataclasses import dataclass
from enum import StrEnum

from dplda.core.errors import InputError
from dplda.corpus import Simulation
from dplda.methods.method import Method, Problem
from dplda.methods.plan import Plan
from dplda.methods.registry import parse_method


class CorpusKind(StrEnum):
    """Where the documents come from."""

    EMBEDDED = "embedded"
    SIMULATED = "simulated"
    UPLOADED = "uploaded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(Problem):
    """What the sidebar holds: a method with an ε, and what is asked of it."""

    method: Method

    @property
    def plan(self) -> Plan | None:
        """Where noise enters, of a configuration; None for another method, which has no edges to choose."""
        return None if self.method.plan is None else self.method.plan(self)


@dataclass(frozen=True, slots=True)
class Card:
    """What a run card says of the run that it repeats.

    Attributes:
        simulation: how they were drawn; None unless simulated.
        names: of the topics, in the run's order; None for one without, nothing where nobody gave any.
    """

    kind: CorpusKind
    simulation: Simulation | None
    settings: Settings
    names: tuple[str | None, ...] = ()


def settings_of_plan(plan: Plan, *, n_topics: int, alpha0: float, seed: int) -> Settings:
    """Settings whose ``plan`` is this one."""
    method = parse_method(f"{plan.configuration}/{plan.variant.scaling}")
    if method.plan is None:
        raise InputError("plan", "of a configuration", "of another method")
    return Settings(
        method=method,
        n_topics=n_topics,
        alpha0=alpha0,
        seed=seed,
        epsilon=plan.epsilon,
        delta=plan.delta,
        split=plan.split,
        clip_quantile=plan.clip_quantile,
        first_words=plan.first_words,
        chosen=plan.chosen,
    )
