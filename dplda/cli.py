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
        The exit status: 0 where all went well, 2 where something was refused, 130 where a sweep was interrupted, else
        the server's own.
    """
    options = _parser().parse_args(arguments)
    try:
        if options.command == "sweep":
            return command.sweep(options.spec, csv=options.csv, folder=options.store)
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
    return parser


def _version() -> str:
    try:
        return version("dplda")
    except PackageNotFoundError:
        return "from a checkout that is not installed"
