"""The ``dplda`` command."""

import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import click

from dplda.core.child_process import stoppable
from dplda.core.errors import DpldaError
from dplda.core.safe_open import refusal
from dplda.core.versions import VERSION
from dplda.corpus import disk_cache

INTERRUPTED = 130
COMMANDS = {
    "app": ("dashboard", "start the dashboard on this machine and print its address"),
    "sweep": ("sweep", "compute a sweep, or what is missing of it, and print a summary"),
    "read": ("reading_options", "read documents and say what came in, what was changed and why"),
    "report": ("report", "write a page that shows a released file"),
    "fit": ("fit", "find topics of documents, for looking, and write a table or a page"),
    "audit": ("audit", "try to tell two neighbours apart by what a method releases"),
    "release": ("release", "release private topics of sensitive documents, charged to the ledger"),
    "ledger": ("ledger", "what has been spent on which documents, and what is left"),
}


class _Commands(click.Group):
    """Commands by name; the file of one is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        file, told = COMMANDS[name]
        command: click.Command = importlib.import_module(f"dplda.cli.{file}").COMMAND
        command.help = told
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, told) for name, (_, told) in COMMANDS.items()])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: words after ``dplda``; those of the process where None.

    Returns:
        The exit status: 0 where all went well, 1 where an audit caught something and 3 where it could not tell, 2 where
        something was refused, 130 where it was interrupted, else the server's own.
    """
    try:
        with stoppable():
            status = _run(sys.argv[1:] if arguments is None else list(arguments))
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


def _run(arguments: list[str]) -> int:
    """Click's own ``main`` would answer an interrupt, a closed pipe and a full disk in its own way."""
    group = _Commands(
        callback=_trouble,
        no_args_is_help=False,
        help="See what differential privacy costs a topic model.",
        context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    )
    click.version_option(VERSION, message="dplda %(version)s")(group)
    try:
        with group.make_context("dplda", arguments) as context:
            status: int = group.invoke(context)
            return status
    except click.exceptions.Exit as done:
        raise SystemExit(done.exit_code) from None
    except click.ClickException as error:
        error.show()
        raise SystemExit(error.exit_code) from None


def _trouble() -> None:
    trouble = disk_cache.trouble()
    if trouble:
        _say(trouble)


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
