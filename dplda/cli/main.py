"""The ``dplda`` command."""

import argparse
import math
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from dplda.cli import dashboard, reading_options, sweep
from dplda.core.backends import LIMIT
from dplda.core.child_process import stoppable
from dplda.core.errors import DpldaError, InputError
from dplda.core.safe_open import refusal
from dplda.core.versions import installed_version
from dplda.corpus import Label, Selection, disk_cache

if TYPE_CHECKING:
    from dplda.experiments.settings import Settings

INTERRUPTED = 130
LABELS = (Label.PUBLIC.value, Label.SENSITIVE.value)
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: words after ``dplda``; those of the process where None.

    Returns:
        The exit status: 0 where all went well, 1 where an audit caught something and 3 where it could not tell, 2 where
        something was refused, 130 where it was interrupted, else the server's own.
    """
    options = _parser().parse_args(arguments)
    try:
        trouble = disk_cache.trouble()
        if trouble:
            _say(trouble)
        with stoppable():
            status: int = options.run(options)
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where a full disk is still answered in words
        return status
    except BrokenPipeError:  # whoever read the output has gone
        status = 1
    except KeyboardInterrupt:
        _say("interrupted.")
        status = INTERRUPTED
    except DpldaError as error:
        _say(str(error))
        status = 2
    except (OSError, MemoryError, RecursionError) as error:
        _say(str(refusal(error)))
        status = 2
    _let_go()
    return status


def _say(text: str) -> None:
    with suppress(OSError):
        print(f"dplda: {text}", file=sys.stderr)


def _let_go() -> None:
    """Where standard output takes no more, what is left of it goes nowhere, so that Python ends in silence."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    version = installed_version("dplda", "from a checkout that is not installed")
    parser = argparse.ArgumentParser(prog="dplda", description="See what differential privacy costs a topic model.")
    parser.add_argument("--version", action="version", version=f"dplda {version}")
    commands = parser.add_subparsers(required=True, metavar="command")
    app = commands.add_parser("app", help="start the dashboard on this machine and print its address")
    app.set_defaults(run=_app)
    app.add_argument(
        "--port",
        type=int,
        help=f"where to listen (default: the first free port from {dashboard.FIRST_PORT} up)",
    )
    app.add_argument(
        "--open",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="open a browser (default: where there is one, unless DPLDA_OPEN=0)",
    )
    sweep = commands.add_parser("sweep", help="compute a sweep, or what is missing of it, and print a summary")
    sweep.set_defaults(run=_sweep)
    sweep.add_argument("spec", type=Path, help="the sweep, a TOML file")
    sweep.add_argument("--csv", type=Path, help="where to write the finished cells, one row each")
    sweep.add_argument("--store", type=Path, help="folder of the results (default: sweeps in the cache folder)")
    read = commands.add_parser("read", help="read documents and say what came in, what was changed and why")
    read.set_defaults(run=_read)
    read.add_argument("documents", type=Path, help="a file, an archive or a folder")
    reading_options.add(read)
    _add_report(commands)
    _add_fit(commands)
    _add_audit(commands.add_parser("audit", help="try to tell two neighbours apart by what a method releases"))
    _add_release(commands)
    _add_ledger(commands)
    return parser


def _add_report(commands: Commands) -> None:
    report = commands.add_parser("report", help="find private topics of a file and write a page to show them")
    report.set_defaults(run=_report)
    report.add_argument(
        "documents", type=Path, help="one document a line, CSV, TSV, JSON lines, a bag of words, or a released file"
    )
    report.add_argument("--out", type=Path, required=True, help="the page to write, report.html say")
    report.add_argument("--label", choices=LABELS, help="what the documents are")
    reading_options.add(report)
    report.add_argument("--method", default="refined", help="name of a method with noise (default: refined)")
    _add_task(report)


def _add_fit(commands: Commands) -> None:
    fit = commands.add_parser("fit", help="find topics of documents that may be more than memory holds, for looking")
    fit.set_defaults(run=_fit)
    fit.add_argument("documents", type=Path, help="a file, an archive or a folder, or one that --folder named before")
    fit.add_argument("--out", type=Path, required=True, help="topics.json or topics.csv")
    fit.add_argument("--label", choices=LABELS, help="what the documents are")
    reading_options.add(fit)
    fit.add_argument(
        "--configuration", "--method", dest="method", default="unnoised", help="adaptive, say (default: unnoised)"
    )
    _add_task(fit)
    _add_engine(fit)
    fit.add_argument("--memory-limit", help="what the fit may take, 4GB say (default: what is free)")
    fit.add_argument("--folder", type=Path, help="where counts are kept, for workers elsewhere and for another fit")


def _add_task(command: argparse.ArgumentParser, *, releases: bool = False) -> None:
    """What is asked of a method; noise that may leave has an ε, and no seed."""
    command.add_argument("-k", "--topics", type=int, default=10, help="how many to look for (default: 10)")
    command.add_argument("--alpha0", type=float, default=1.0, help="how much documents mix topics (default: 1)")
    command.add_argument("--epsilon", type=float, required=releases, help="privacy loss ε, where there is noise")
    command.add_argument("--delta", type=float, default=1e-7, help="failure chance δ (default: 1e-7)")
    if not releases:
        command.add_argument("--seed", type=int, default=0, help="of the simulated noise (default: 0)")


def _add_engine(command: argparse.ArgumentParser) -> None:
    command.add_argument("--engine", default="threads", help="serial, threads, joblib or dask (default: threads)")
    command.add_argument("--scheduler", help="address of a Dask scheduler (default: workers on this machine)")
    command.add_argument(
        "--worker-limit",
        type=float,
        default=LIMIT,
        metavar="SECONDS",
        help="give up after so long without any Dask worker (default: %(default)g)",
    )


def _add_release(commands: Commands) -> None:
    release = commands.add_parser(
        "release", help="release private topics of sensitive documents, charged to the ledger"
    )
    release.set_defaults(run=_release)
    release.add_argument("documents", type=Path, help="one document a line, CSV, TSV, JSON lines or a bag of words")
    release.add_argument("--dataset", required=True, help="the ledger's name for these documents")
    release.add_argument("--title", required=True, help="what they are called in public")
    reading_options.add(release, chosen_from_them=False)
    usual = Selection()
    words = release.add_argument_group("words selected privately, charged with the topics")
    words.add_argument("--select", type=int, metavar="D", help="take at most D words, of all or of those of --words")
    words.add_argument(
        "--words-per-unit",
        type=int,
        default=usual.per_unit,
        help="distinct words of a document, or person, that count (default: %(default)s)",
    )
    words.add_argument("--select-epsilon", type=float, default=usual.epsilon, help="ε of words (default: %(default)s)")
    words.add_argument("--select-delta", type=float, default=usual.delta, help="δ of words (default: %(default)s)")
    release.add_argument("--method", default="refined", help="refined, adaptive or private-unigram (default: refined)")
    _add_task(release, releases=True)
    _add_engine(release)
    release.add_argument("--out", type=Path, help="where a copy of the released file goes")
    release.add_argument("--yes", action="store_true", help="accept the price; without it, it is only shown")


def _add_ledger(commands: Commands) -> None:
    ledger = commands.add_parser("ledger", help="what has been spent on which documents, and what is left")
    ledger.set_defaults(run=_ledger)
    actions = ledger.add_subparsers(dest="action", required=True, metavar="action")
    actions.add_parser("list", help="all datasets, and what is left of each")
    verify = actions.add_parser("verify", help="look for entries changed or missing, and files that were not paid for")
    verify.add_argument("files", type=Path, nargs="*", help="released files that were kept elsewhere")
    actions.add_parser("export", help="all entries as JSON")
    actions.add_parser("show", help="the entries of a dataset").add_argument("dataset")
    for name, said in (("declare", "open a budget, with the most that may ever be spent"), ("lower", "lower a cap")):
        action = actions.add_parser(name, help=said)
        action.add_argument("dataset")
        action.add_argument("--epsilon", type=float, required=True, help="cap of the sum of ε")
        action.add_argument("--delta", type=float, default=1e-6, help="cap of the sum of δ (default: 1e-6)")
        if name == "declare":
            units = ["document", "person"]
            action.add_argument("--protects", choices=units, default="document", help="for good (default: document)")


def _add_audit(audit: argparse.ArgumentParser) -> None:
    audit.set_defaults(run=_audit)
    audit.add_argument("method", help="its text: adaptive, refined, private-unigram, dp-vi, config-1/Laplace, ...")
    audit.add_argument("--epsilon", type=float, required=True, help="privacy loss ε of the whole run")
    audit.add_argument("--delta", type=float, default=1e-7, help="failure chance δ (default: 1e-7)")
    audit.add_argument("--runs", type=int, help="on either neighbour (default: as many as find noise √2 too small)")
    audit.add_argument(
        "--sabotage",
        metavar="WAY",
        help="break it on purpose: half-noise, published-sensitivity, reused-seed, dropped-e2, ..., last-bits,"
        " no-sampling, document-by-document",
    )
    units, noises = ["document", "person"], ["simulated", "exact"]
    audit.add_argument("--protects", choices=units, default="document", help="whose difference is hidden")
    audit.add_argument("--noise", choices=noises, default="simulated", help="exact: what a release would draw")
    audit.add_argument("--seed", type=int, default=0, help="of all draws (default: 0)")


def _app(options: argparse.Namespace) -> int:
    return dashboard.serve(options.port, open_browser=options.open)


def _sweep(options: argparse.Namespace) -> int:
    return sweep.sweep(options.spec, csv=options.csv, folder=options.store)


def _read(options: argparse.Namespace) -> int:
    return reading_options.read(options.documents, reading_options.of(options))


def _audit(options: argparse.Namespace) -> int:
    from dplda.cli.audit import audit

    return audit(
        options.method,
        epsilon=options.epsilon,
        delta=options.delta,
        runs=options.runs,
        sabotage=options.sabotage,
        seed=options.seed,
        persons=options.protects == "person",
        exact=options.noise == "exact",
    )


def _report(options: argparse.Namespace) -> int:
    """Its imports take longer than the other commands."""
    from dplda.cli.report import released_report, report
    from dplda.release.released_file import SUFFIX

    if options.documents.name.endswith(SUFFIX):
        return released_report(options.documents, options.out)
    for name in ("label", "epsilon"):
        if getattr(options, name) is None:
            raise InputError(f"--{name}", "given for a report of documents", "nothing")
    return report(
        options.documents,
        options.out,
        label=Label(options.label),
        settings=_settings(options),
        reading=reading_options.of(options),
    )


def _fit(options: argparse.Namespace) -> int:
    from dplda.cli.fit import fit_command, size_of

    settings = _settings(options)
    if options.epsilon is None and settings.method.needs_epsilon:
        raise InputError("--epsilon", "given for a method with noise", "nothing")
    return fit_command(
        options.documents,
        options.out,
        label=None if options.label is None else Label(options.label),
        settings=settings,
        reading=reading_options.of(options),
        folder=options.folder,
        engine=options.engine,
        scheduler=options.scheduler,
        limit=options.worker_limit,
        memory=None if options.memory_limit is None else size_of(options.memory_limit),
    )


def _release(options: argparse.Namespace) -> int:
    from dplda.cli.release import release_command

    return release_command(
        options.documents,
        dataset=options.dataset,
        title=options.title,
        settings=_settings(options),
        reading=reading_options.of(options),
        selection=None
        if options.select is None
        else Selection(options.select, options.words_per_unit, options.select_epsilon, options.select_delta),
        out=options.out,
        confirmed=options.yes,
        engine=options.engine,
        scheduler=options.scheduler,
        limit=options.worker_limit,
    )


def _ledger(options: argparse.Namespace) -> int:
    from dplda.cli.release import ledger_command

    given = vars(options)
    return ledger_command(
        options.action,
        given.get("dataset"),
        epsilon=given.get("epsilon"),
        delta=given.get("delta"),
        protects=given.get("protects"),
        files=tuple(given.get("files", ())),
    )


def _settings(options: argparse.Namespace) -> "Settings":
    from dplda.experiments.settings import Settings
    from dplda.methods.registry import parse_method

    return Settings(
        method=parse_method(options.method),
        n_topics=options.topics,
        alpha0=options.alpha0,
        seed=vars(options).get("seed", 0),
        epsilon=math.inf if options.epsilon is None else options.epsilon,
        delta=1.0 if options.epsilon is None else options.delta,
    )
