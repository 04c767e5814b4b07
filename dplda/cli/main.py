"""The ``dplda`` command."""

import importlib
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

import click

from dplda.core.errors import DpldaError
from dplda.core.safe_open import refusal
from dplda.core.versions import VERSION
from dplda.corpus import disk_cache

INTERRUPTED = 130
COMMANDS = {
    "app": ("dashboard", "start the dashboard on this machine and print its address"),
    "read": ("reading_options", "read documents and report what was kept, changed and why"),
    "ledger": ("ledger", "declare, lower, show and check privacy budgets"),
    "release": ("release", "release private topics of sensitive documents and charge the ledger"),
    "report": ("report", "turn a released file into a web page"),
    "fit": ("fit", "find topics of public documents and write a table or a page"),
    "sweep": ("sweep", "run a sweep, or the missing part of it, and print a summary"),
    "audit": ("audit", "attack a method: do its releases tell two neighboring datasets apart?"),
}


class _Commands(click.Group):
    """Commands by name; a command's file is imported only when it is called."""

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
    """Run one command; returns 0 for success, 2 for a refusal, 130 for an interruption, or what the command says."""
    group = _Commands(
        callback=lambda: _say(trouble) if (trouble := disk_cache.trouble()) else None,
        no_args_is_help=False,
        help="See what differential privacy costs a topic model.",
        context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    )
    click.version_option(VERSION, message="dplda %(version)s")(group)
    if threading.current_thread() is threading.main_thread():
        signal.signal(
            signal.SIGTERM, signal.default_int_handler
        )  # so that a command cleans up before it ends
    try:
        status: int = group.main(arguments, "dplda", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()  # here, so that a full disk is reported in words
        return status
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        _say("interrupted.")
        status = INTERRUPTED
    except BrokenPipeError:  # the reader of the output has gone
        status = 1
    except (DpldaError, OSError, MemoryError, RecursionError) as error:
        _say(str(error if isinstance(error, DpldaError) else refusal(error)))
        status = 2
    try:  # what standard output no longer takes is discarded, so that Python ends in silence
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _say(text: str) -> None:
    with suppress(OSError):
        print(f"dplda: {text}", file=sys.stderr)
