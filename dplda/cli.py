"""The ``dplda`` command."""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from dplda import launch
from dplda.errors import DpldaError
from dplda.sweeps import command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: words after ``dplda``; those of the process where None.

    Returns:
        The exit status: 0 where all went well, 1 where an audit caught something and 3 where it could not tell, 2 where
        something was refused, 130 where a sweep was interrupted, else the server's own.
    """
    options = _parser().parse_args(arguments)
    try:
        if options.command == "sweep":
            return command.sweep(options.spec, csv=options.csv, folder=options.store)
        if options.command == "report":
            return _report(options)
        if options.command == "audit":
            return _audit(options)
        return launch.serve(options.port, open_browser=options.open)
    except DpldaError as refusal:
        print(f"dplda: {refusal}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dplda", description="See what differential privacy costs a topic model.")
    parser.add_argument("--version", action="version", version=f"dplda {_version()}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    app = commands.add_parser("app", help="start the dashboard on this machine and print its address")
    app.add_argument(
        "--port",
        type=int,
        help=f"where to listen (default: the first free port from {launch.FIRST_PORT} up)",
    )
    app.add_argument(
        "--open",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="open a browser (default: where there is one, unless DPLDA_OPEN=0)",
    )
    sweep = commands.add_parser("sweep", help="compute a sweep, or what is missing of it, and print a summary")
    sweep.add_argument("spec", type=Path, help="the sweep, a TOML file")
    sweep.add_argument("--csv", type=Path, help="where to write the finished cells, one row each")
    sweep.add_argument("--store", type=Path, help="folder of the results (default: sweeps in the cache folder)")
    report = commands.add_parser("report", help="find private topics of a file and write a page to show them")
    report.add_argument("documents", type=Path, help="one document a line, CSV, TSV, JSON lines or a bag of words")
    report.add_argument("--out", type=Path, required=True, help="the page to write, report.html say")
    report.add_argument("--label", choices=["public", "sensitive"], required=True, help="what the documents are")
    report.add_argument("--text", help="column or key that holds the documents")
    report.add_argument("--words", type=Path, help="a vocabulary fixed beforehand, one word a line")
    report.add_argument("--n-words", type=int, default=1000, help="words to take from the documents (default: 1000)")
    report.add_argument("--method", default="refined", help="name of a method with noise (default: refined)")
    report.add_argument("--topics", type=int, default=10, help="how many to look for (default: 10)")
    report.add_argument("--alpha0", type=float, default=1.0, help="how much documents mix topics (default: 1)")
    report.add_argument("--epsilon", type=float, required=True, help="privacy loss ε")
    report.add_argument("--delta", type=float, default=1e-7, help="failure chance δ (default: 1e-7)")
    report.add_argument("--seed", type=int, default=0, help="of the simulated noise (default: 0)")
    _add_audit(commands.add_parser("audit", help="try to tell two neighbours apart by what a method releases"))
    return parser


def _add_audit(audit: argparse.ArgumentParser) -> None:
    audit.add_argument("method", help="its text: adaptive, refined, config-1/Laplace, ...")
    audit.add_argument("--epsilon", type=float, required=True, help="privacy loss ε of the whole run")
    audit.add_argument("--delta", type=float, default=1e-7, help="failure chance δ (default: 1e-7)")
    audit.add_argument("--runs", type=int, help="on either neighbour (default: as many as find noise √2 too small)")
    audit.add_argument(
        "--sabotage",
        metavar="WAY",
        help="break it on purpose: half-noise, published-sensitivity, reused-seed, dropped-e2, ..., last-bits",
    )
    audit.add_argument("--seed", type=int, default=0, help="of all draws (default: 0)")


def _audit(options: argparse.Namespace) -> int:
    from dplda.audit.command import audit

    return audit(
        options.method,
        epsilon=options.epsilon,
        delta=options.delta,
        runs=options.runs,
        sabotage=options.sabotage,
        seed=options.seed,
    )


def _report(options: argparse.Namespace) -> int:
    """Its imports take longer than the other commands."""
    from dplda.corpus import Label
    from dplda.methods import parse_method
    from dplda.report.command import report
    from dplda.settings import Settings

    settings = Settings(
        method=parse_method(options.method),
        n_topics=options.topics,
        alpha0=options.alpha0,
        seed=options.seed,
        epsilon=options.epsilon,
        delta=options.delta,
    )
    return report(
        options.documents,
        options.out,
        label=Label(options.label),
        settings=settings,
        text=options.text,
        words=options.words,
        n_words=options.n_words,
    )


def _version() -> str:
    try:
        return version("dplda")
    except PackageNotFoundError:
        return "from a checkout that is not installed"
