"""An experiment as data: which documents, which method, and what is asked of it."""

from dataclasses import dataclass
from enum import StrEnum

from dplda.corpus import Simulation
from dplda.methods.method import Method
from dplda.methods.plan import Plan
from dplda.methods.problem import Budget, Problem
from dplda.methods.registry import parse_method


class CorpusKind(StrEnum):
    """Where the documents come from."""

    EMBEDDED = "embedded"
    SIMULATED = "simulated"
    UPLOADED = "uploaded"


@dataclass(frozen=True, slots=True)
class Settings:
    """What the sidebar holds: a method with an ε, what is asked of it, and the seed of a simulated run."""

    method: Method
    problem: Problem
    budget: Budget
    seed: int = 0

    @property
    def plan(self) -> Plan | None:
        """Where noise enters, of a configuration; None for another method, which has no edges to choose."""
        return None if self.method.plan is None else self.method.plan(self.budget)


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


def settings_of_plan(plan: Plan, problem: Problem, seed: int) -> Settings:
    """Settings whose ``plan`` is this one."""
    return Settings(parse_method(plan.method), problem, plan.budget, seed)
