"""Options that several commands share, each declared once."""

import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
from click import Argument, Option
from click.core import ParameterSource

from dplda.core.errors import InputError
from dplda.core.safe_open import check_writable, file_name
from dplda.core.types import Report
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.refined.prior_sources import source_from_file
from dplda.methods.refined.refined_methods import refined_with
from dplda.methods.registry import parse_method

TYPED = "dplda.typed"


@dataclass(frozen=True, slots=True)
class Together:
    """Options that a command receives as one value: ``make`` of them, by their names."""

    name: str
    make: Callable[..., object]
    options: tuple["click.Parameter | Together", ...]

    def made(self, given: dict[str, object]) -> object:
        """The value; its parameters are removed from those given."""
        names = {str(one.name): one for one in self.options}
        found = {
            name: it.made(given) if isinstance(it, Together) else given.pop(name)
            for name, it in names.items()
        }
        return self.make(**found)


def flat(params: Iterable[click.Parameter | Together]) -> Iterator[click.Parameter]:
    """Options one by one, those of groups too."""
    for one in params:
        yield from flat(one.options) if isinstance(one, Together) else (one,)


class Command(click.Command):
    """A command that runs a function."""

    def __init__(
        self, name: str, run: Callable[..., int], *params: click.Parameter | Together
    ) -> None:
        self._all = Together(name, run, params)
        super().__init__(name, params=[*flat(params)], help=(run.__doc__ or "").partition("\n")[0])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep what was typed, each value without the name of its option."""
        ctx.meta[TYPED] = [one.rpartition("=")[2] for one in args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Make one value of each group of options, and run."""
        return self._all.made(ctx.params)


def check_out(out: Path, documents: Path) -> None:
    """Refuse an output file that cannot be written or is also an input."""
    check_writable(out, documents)
    typed = [os.path.realpath(one) for one in click.get_current_context().meta[TYPED]]
    if typed.count(os.path.realpath(out)) > 1:
        raise InputError("the file to write", "another than those that are read", file_name(out))


def leave_out(when: str, *names: str) -> None:
    """Refuse options of the running command that were typed but would not be used."""
    context = click.get_current_context()
    for one in context.command.params:
        if (
            one.name in names
            and context.get_parameter_source(one.name) is ParameterSource.COMMANDLINE
        ):
            raise InputError(
                "/".join((one.opts[-1], *one.secondary_opts)), f"left out {when}", "a value"
            )


def progress(every: float = 2.0) -> Report:
    """A callback that prints steps to standard error, one line each and again after some seconds."""
    last, when = "nothing", 0.0

    def told(fraction: float, step: str) -> None:
        nonlocal last, when
        now = time.monotonic()
        if now - when > every or step.split()[0] != last.split()[0]:
            last, when = step, now
            print(f"{fraction:4.0%}  {step}", file=sys.stderr, flush=True)

    return told


def _settings(
    method: str,
    prior: str | None,
    trust_prior: bool,
    topics: int,
    alpha0: float,
    epsilon: float | None,
    delta: float,
    seed: int = 0,
) -> Experiment:
    if epsilon is None:
        leave_out("without --epsilon", "delta")
    elif math.isinf(epsilon):
        raise InputError("--epsilon", "a finite number", str(epsilon))
    budget, chosen = Budget() if epsilon is None else Budget(epsilon, delta), parse_method(method)
    if prior is not None and chosen.name != "refined":
        raise InputError(
            "--method", "refined, to use public knowledge", chosen.key, "Add --method refined."
        )
    if prior is None and trust_prior:
        raise InputError(
            "--trust-prior", "used with --prior", "alone", "Add --prior english, or a file."
        )
    if prior is not None:
        chosen = refined_with(source_from_file(prior), trusted=trust_prior)
    return Experiment(
        corpus=HeldDocuments(),
        method=chosen.spec,
        problem=Problem(topics, alpha0),
        budget=budget,
        seed=seed,
    )


def epsilon_option(*, required: bool) -> Option:
    """The privacy loss of a whole run."""
    return Option(
        ["--epsilon"],
        type=float,
        required=required,
        help="privacy budget ε, for methods with noise",
    )


def settings(method: str, *, releases: bool = False) -> Together:
    """Method, number of topics and privacy budget; a release must have an ε and takes no seed."""
    options = (
        Option(
            ["--method", "--configuration"],
            default=method,
            help="how to find topics, for example adaptive",
        ),
        Option(
            ["--prior"],
            metavar="FILE",
            help="public knowledge: english, a table.csv, or lines “space: orbit, nasa”",
        ),
        Option(
            ["--trust-prior"],
            is_flag=True,
            help="use it untested: no intervals, and a wrong one can hide topics",
        ),
        Option(["-k", "--topics"], default=10, help="number of topics"),
        Option(["--alpha0"], default=1.0, help="how much documents mix topics"),
        epsilon_option(required=releases),
        DELTA,
    )
    return Together("settings", _settings, options if releases else (*options, SEED))


def named_path(path: str) -> Path:
    """A path; an empty one, which would mean the current folder, is refused."""
    if not path:
        raise click.BadParameter("a path must not be empty.")
    return Path(path)


DELTA = Option(["--delta"], default=1e-7, help="probability δ that the guarantee does not cover")
SEED = Option(["--seed"], default=0, help="seed of the simulated noise")
DOCUMENTS = Argument(["documents"], type=named_path)
LABEL = Option(
    ["--label"],
    type=click.Choice(["public", "sensitive"]),
    help="whether anyone may see the documents",
)
PROTECTS = Option(
    ["--protects"],
    type=click.Choice(["document", "person"]),
    default="document",
    help="what the guarantee protects",
)
ENGINE = (
    Option(["--engine"], default="threads", help="serial, threads, joblib or dask"),
    Option(["--scheduler"], help="address of a Dask scheduler (default: workers on this machine)"),
)
