"""An experiment as data: which documents, which method, and what it should find."""

from dataclasses import dataclass
from enum import StrEnum

from dplda.corpus import Simulation
from dplda.methods.method import Method
from dplda.methods.plan import Plan
from dplda.methods.problem import Budget, Problem
from dplda.methods.registry import parse_method


class CorpusKind(StrEnum):
    """Where the documents of an experiment come from."""

    EMBEDDED = "embedded"
    SIMULATED = "simulated"
    UPLOADED = "uploaded"


@dataclass(frozen=True, slots=True)
class Settings:
    """A method, what it should find, its privacy budget, and the seed of a simulated run."""

    method: Method
    problem: Problem
    budget: Budget
    seed: int = 0

    @property
    def plan(self) -> Plan | None:
        """Where noise enters; None for a method that is not a configuration of the spectral one."""
        return None if self.method.plan is None else self.method.plan(self.budget)


@dataclass(frozen=True, slots=True)
class Card:
    """The run that a run card describes.

    Attributes:
        simulation: how the documents were drawn; None unless they were simulated.
        names: of the topics, in the run's order; None for a topic without a name; empty if there are none.
    """

    kind: CorpusKind
    simulation: Simulation | None
    settings: Settings
    names: tuple[str | None, ...] = ()


def settings_of_plan(plan: Plan, problem: Problem, seed: int) -> Settings:
    """Settings with this plan."""
    return Settings(parse_method(plan.method), problem, plan.budget, seed)
