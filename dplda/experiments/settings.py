"""An experiment as data: documents, method, problem and budget."""

from dataclasses import dataclass
from enum import StrEnum

from dplda.corpus import Simulation
from dplda.methods.base.method import Method
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.configurations.plan import Plan
from dplda.methods.registry import parse_method


class CorpusKind(StrEnum):
    """The source of an experiment's documents."""

    EMBEDDED = "embedded"
    SIMULATED = "simulated"
    UPLOADED = "uploaded"


@dataclass(frozen=True, slots=True)
class Settings:
    """A method, its problem, its privacy budget, and the seed of a simulated run."""

    method: Method
    problem: Problem
    budget: Budget
    seed: int = 0

    @property
    def plan(self) -> Plan | None:
        """The noise plan; None for a method other than a spectral configuration."""
        return None if self.method.make_plan is None else self.method.make_plan(self.budget)


@dataclass(frozen=True, slots=True)
class Card:
    """The run that a run card describes.

    Attributes:
        simulation: how the documents were simulated, else None.
        names: of the topics, in the run's order; None for a topic without a name; empty for none at all.
    """

    kind: CorpusKind
    simulation: Simulation | None
    settings: Settings
    names: tuple[str | None, ...] = ()


def settings_of_plan(plan: Plan, problem: Problem, seed: int) -> Settings:
    """Settings with this plan."""
    return Settings(parse_method(plan.method), problem, plan.budget, seed)
