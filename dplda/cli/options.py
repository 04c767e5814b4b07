"""Options that several commands share, each declared once."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click
from click import Argument, Option

from dplda.core.types import Report
from dplda.experiments.settings import Settings
from dplda.methods.problem import Budget, Problem
from dplda.methods.registry import parse_method


@dataclass(frozen=True, slots=True)
class Together:
    """Options that a command receives as one value: ``make`` of them, by their names."""

    name: str
    make: Callable[..., object]
    options: tuple["Option | Together", ...]

    def flat(self) -> Iterator[Option]:
        """Every option in it."""
        for one in self.options:
            yield from (one,) if isinstance(one, Option) else one.flat()

    def made(self, given: dict[str, object]) -> object:
        """The value; its parameters are removed from those given."""
        names = {str(one.name): one for one in self.options}
        return self.make(
            **{name: given.pop(name) if isinstance(one, Option) else one.made(given) for name, one in names.items()}
        )


class Command(click.Command):
    """A command that runs a function; the first line of its docstring is the help."""

    def __init__(self, name: str, run: Callable[..., int], *params: click.Parameter | Together) -> None:
        self._together = [given for given in params if isinstance(given, Together)]
        flat = [one for given in params for one in (given.flat() if isinstance(given, Together) else (given,))]
        super().__init__(name, params=flat, callback=run, help=(run.__doc__ or "").partition("\n")[0])

    def invoke(self, ctx: click.Context) -> object:
        """Make one value of each group of options, and run."""
        for group in self._together:
            ctx.params[group.name] = group.made(ctx.params)
        return super().invoke(ctx)


def progress(every: float = 2.0) -> Report:
    """A callback that prints steps to standard error, one line each and again after some seconds.

    Args:
        every: seconds between two lines of one step.
    """
    last, when = "nothing", 0.0

    def told(fraction: float, step: str) -> None:
        nonlocal last, when
        now = time.monotonic()
        if now - when > every or step.split()[0] != last.split()[0]:
            last, when = step, now
            with suppress(OSError):
                print(f"{fraction:4.0%}  {step}", file=sys.stderr, flush=True)

    return told


def _settings(method: str, topics: int, alpha0: float, epsilon: float | None, delta: float, seed: int = 0) -> Settings:
    budget = Budget() if epsilon is None else Budget(epsilon, delta)
    return Settings(parse_method(method), Problem(topics, alpha0), budget, seed)


def epsilon_option(*, required: bool) -> Option:
    """The privacy loss of a whole run."""
    return Option(["--epsilon"], type=float, required=required, help="privacy budget ε, for methods with noise")


def settings(method: str, *, releases: bool = False) -> Together:
    """Method, number of topics and privacy budget; a release must have an ε and takes no seed."""
    options = (
        Option(["--method", "--configuration"], default=method, help="how to find topics, for example adaptive"),
        Option(["-k", "--topics"], default=10, help="number of topics"),
        Option(["--alpha0"], default=1.0, help="how much documents mix topics"),
        epsilon_option(required=releases),
        DELTA,
    )
    return Together("settings", _settings, options if releases else (*options, SEED))


DELTA = Option(["--delta"], default=1e-7, help="probability δ that may slip past the guarantee")
SEED = Option(["--seed"], default=0, help="seed of the simulated noise")
DOCUMENTS = Argument(["documents"], type=Path)
LABEL = Option(["--label"], type=click.Choice(["public", "sensitive"]), help="whether anyone may see the documents")
PROTECTS = Option(
    ["--protects"], type=click.Choice(["document", "person"]), default="document", help="what the guarantee protects"
)
ENGINE = (
    Option(["--engine"], default="threads", help="serial, threads, joblib or dask"),
    Option(["--scheduler"], help="address of a Dask scheduler (default: workers on this machine)"),
)
