"""Options that several commands share, each declared once."""

import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from click import Argument, Option
from click.core import ParameterSource

from dplda.core.errors import InputError
from dplda.core.safe_open import check_writable, file_name
from dplda.core.types import Report
from dplda.corpus.corpus import Label
from dplda.corpus.readers.load import load
from dplda.corpus.words.vocabulary import english_words
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.prior_source import PriorKind, PriorSource
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.refined.prior.prior_files import prior_to_csv, source_from_file
from dplda.methods.refined.prior.prior_mixtures import make_prior, mix_prior_sources
from dplda.methods.refined.refined_methods import refined_with
from dplda.methods.registry import parse_method_spec

TYPED = "dplda.typed"


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """Options that a command receives as one value.

    Attributes:
        name: of the command's argument.
        make: makes the value of the options' values, by their names.
        options: the options, and groups of them.
    """

    name: str
    make: Callable[..., object]
    options: tuple["click.Parameter | OptionGroup", ...]

    def collect(self, values: dict[str, object]) -> object:
        """Make the group's value from the values of its options and inner groups.

        Removes these values from ``values``, which must have every one of them, by option name.
        """
        arguments: dict[str, object] = {}
        for option in self.options:
            argument_name = str(option.name)
            if isinstance(option, OptionGroup):
                arguments[argument_name] = option.collect(values)
            else:
                arguments[argument_name] = values.pop(argument_name)
        return self.make(**arguments)


def flatten(options: Iterable[click.Parameter | OptionGroup]) -> Iterator[click.Parameter]:
    """Options one by one, those of groups too."""
    for option in options:
        if isinstance(option, OptionGroup):
            yield from flatten(option.options)
        else:
            yield option


class Command(click.Command):
    """A command that runs a function with the values of its options.

    Args:
        name: of the command.
        run: what it does; returns the status of the process. The first line of its docstring is
            the command's help.
        options: of the command, each named as an argument of ``run``, and groups of them.
    """

    def __init__(
        self, name: str, run: Callable[..., int], *options: click.Parameter | OptionGroup
    ) -> None:
        self._group = OptionGroup(name, run, options)
        help_text = (run.__doc__ or "").partition("\n")[0]
        super().__init__(name, params=[*flatten(options)], help=help_text)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep what was typed, each value without the name of its option."""
        ctx.meta[TYPED] = [argument.rpartition("=")[2] for argument in args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Make one value of each group of options, and run."""
        return self._group.collect(ctx.params)


def check_out(out: Path, documents: Path) -> None:
    """Refuse an output file that cannot be written or is also an input.

    Args:
        out: the file to write.
        documents: the file or folder of documents.

    Raises:
        InputError: it lies in the folder of documents, or was typed for another argument, too.
        ReadError: it cannot be written.
    """
    check_writable(out, documents)
    typed_paths = [
        os.path.realpath(argument) for argument in click.get_current_context().meta[TYPED]
    ]
    if typed_paths.count(os.path.realpath(out)) > 1:
        raise InputError("the file to write", "another than those that are read", file_name(out))


def leave_out(condition: str, *names: str) -> None:
    """Refuse options of the running command that were typed but would not be used.

    Values that come from defaults are not refused.

    Args:
        condition: under which they are not used, to end a sentence, as *without --select*.
        names: of the options' values.

    Raises:
        InputError: one of them was typed.
    """
    context = click.get_current_context()
    for option in context.command.params:
        source = context.get_parameter_source(str(option.name))
        if option.name in names and source is ParameterSource.COMMANDLINE:
            typed_names = "/".join((option.opts[-1], *option.secondary_opts))
            raise InputError(typed_names, f"left out {condition}", "a value")


def progress(every: float = 2.0) -> Report:
    """Make a callback that prints progress to standard error.

    A step is printed if its kind, which is its first word, differs from that of the last one
    printed, or if enough time went by; other steps are dropped.

    Args:
        every: seconds after which another step of the same kind is printed.
    """
    printed_step = "nothing"
    printed_at = 0.0

    def report(share: float, step: str) -> None:
        """Print a step, if it is of another kind than the last one printed, or late enough."""
        nonlocal printed_step, printed_at
        now = time.monotonic()
        if now - printed_at > every or step.split()[0] != printed_step.split()[0]:
            printed_step = step
            printed_at = now
            print(f"{share:4.0%}  {step}", file=sys.stderr, flush=True)

    return report


def _experiment(
    method: str,
    prior: tuple[str, ...],
    prior_corpus: tuple[Path, ...],
    trust_prior: bool,
    topics: int,
    alpha0: float,
    epsilon: float | None,
    delta: float,
    seed: int = 0,
) -> Experiment:
    """The experiment that the options ask for; without ε, it has no budget.

    Its documents are those that the command reads. Whether ε fits the method is not checked here.

    Raises:
        DpldaError: an option has no usable value, or the options do not go together.
    """
    return Experiment(
        corpus=HeldDocuments(),
        budget=_budget(epsilon, delta),
        method=_method_spec(
            method, _prior_source(prior, prior_corpus, topics), is_trusted=trust_prior
        ),
        problem=Problem(topics, alpha0),
        seed=seed,
    )


def _budget(epsilon: float | None, delta: float) -> Budget:
    """The privacy budget; without ε, the empty one, of a method without noise.

    Raises:
        InputError: a δ was typed without ε, or ε is infinite.
    """
    if epsilon is None:
        leave_out("without --epsilon", "delta")
        return Budget()
    if math.isinf(epsilon):
        raise InputError("--epsilon", "a finite number", str(epsilon))
    return Budget(epsilon, delta)


def _prior_source(
    sources: Sequence[str], corpora: Sequence[Path], n_topics: int
) -> PriorSource | None:
    """Public knowledge that the options name: tables and public corpora, mixed in equal parts.

    All public corpora together give one table, over the English word list, which counts once for
    each of them. None without tables and corpora.

    Args:
        sources: files of tables, or names of built-in ones.
        corpora: files or folders of public documents.
        n_topics: number of topics.

    Raises:
        InputError: a file cannot be read, or does not fit the number of topics.
    """
    prior_sources = [source_from_file(source) for source in sources]
    if corpora:
        words = english_words()
        public_corpora = tuple(load(path, label=Label.PUBLIC, vocabulary=words) for path in corpora)
        table = make_prior(public_corpora, n_topics, words)
        table_source = PriorSource(PriorKind.FILE, prior_to_csv(table), table.name)
        prior_sources += [table_source] * len(corpora)
    return mix_prior_sources(prior_sources, n_topics) if prior_sources else None


def _method_spec(text: str, prior: PriorSource | None, *, is_trusted: bool) -> MethodSpec:
    """Parse the spec of a method, and add public knowledge if a prior is given.

    Raises:
        InputError: trust without a prior, or a prior with a method other than plain ``refined``.
    """
    method_spec = parse_method_spec(text)
    if prior is None:
        if is_trusted:
            fix = "Add --prior english, or a file."
            raise InputError("--trust-prior", "used with --prior", "alone", fix)
        return method_spec
    if method_spec.name != "refined" or method_spec.first_share is not None:
        fix = "Add --method refined."
        raise InputError("--method", "refined, to use public knowledge", method_spec.text, fix)
    return refined_with(prior, trusted=is_trusted).spec


def epsilon_option(*, required: bool) -> Option:
    """The option for ε of a whole run: any number, whose range it does not check."""
    return Option(
        ["--epsilon"],
        type=float,
        required=required,
        help="privacy budget ε, for methods with noise",
    )


def experiment_options(method: str, *, releases: bool = False) -> OptionGroup:
    """Make the options of an experiment: method, public knowledge, topics, α₀, budget and seed.

    Public knowledge is ``--prior`` or ``--prior-corpus``, and ``--trust-prior`` to use it untested.

    Args:
        method: the default of ``--method``.
        releases: whether the command releases; then an ε is required, and there is no seed.
    """
    options = (
        Option(
            ["--method", "--configuration"],
            default=method,
            help="how to find topics, for example adaptive",
        ),
        Option(
            ["--prior"],
            metavar="FILE",
            multiple=True,
            help="public knowledge: english, a table.csv, or lines “space: orbit, nasa”; several"
            " are mixed in equal parts",
        ),
        Option(
            ["--prior-corpus"],
            metavar="FILE",
            type=named_path,
            multiple=True,
            help="public documents, from which a table is made; several are mixed in equal parts",
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
    return OptionGroup("experiment", _experiment, options if releases else (*options, SEED))


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
