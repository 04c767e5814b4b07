"""Studies: figures and tables of a paper that are no sweeps, each one function of plain numbers."""

from dataclasses import fields
from typing import Protocol, runtime_checkable

import pandas as pd

from dplda.core.types import Report
from dplda.core.versions import VERSION
from dplda.corpus import Corpus
from dplda.experiments.experiment import Experiment, HeldDocuments, fit
from dplda.experiments.run_script import INSTALL, ONE_THREAD
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.registry import parse_method_spec

_SCRIPT = '''\
{install}
"""Compute {name} of the papers again, and print its rows as CSV. Code version: {version}."""

{threads}

from dplda.experiments.papers.presets import PRESETS
from dplda.experiments.sweeps import to_csv

study = PRESETS["{name}"].study
print(to_csv(study.run(lambda fraction, step: None)), end="")
'''


@runtime_checkable
class Study(Protocol):
    """A computation behind one figure or table, with its settings as fields."""

    def run(self, report: Report) -> pd.DataFrame:
        """Compute the rows of the figure.

        Args:
            report: gets the fraction done and the step; may raise to cancel.
        """

    def describe(self) -> tuple[str, ...]:
        """Facts about the run, documents first; a varied number is a range."""


def fit_by_name(
    text: str, corpus: Corpus, problem: Problem, *, budget: Budget | None = None, seed: int = 0
) -> FitResult:
    """Fit the method that a text names.

    Args:
        text: of the method.
        corpus: documents of the run.
        problem: topics to find.
        budget: of the run; None for a method without noise.
        seed: of the noise.

    Raises:
        DpldaError: the method refuses, with the reason.
    """
    experiment = Experiment(
        corpus=HeldDocuments.of_corpus(corpus),
        method=parse_method_spec(text),
        problem=problem,
        budget=budget or Budget(),
        seed=seed,
    )
    return fit(experiment, corpus)


def study_text(study: Study) -> str:
    """A study's settings as text; equal texts, equal computations."""
    lines = [f"{field.name} = {getattr(study, field.name)!r}" for field in fields(study)]  # type: ignore[arg-type]  # a dataclass
    return "\n".join([f"# {type(study).__name__}", *lines])


def number_range(values: tuple[float, ...]) -> str:
    """The smallest and the largest number, ``0.1 to 1,000``."""
    ends = dict.fromkeys((min(values), max(values)))
    return " to ".join(f"{value:,g}" for value in ends)


def script_for_study(name: str, *, version: str) -> str:
    """A Python script that computes a figure or table again.

    Args:
        name: of its preset.
        version: of the current code.
    """
    install = INSTALL.format(VERSION)
    return _SCRIPT.format(install=install, name=name, version=version, threads=ONE_THREAD)
