"""The ``dplda`` command."""

import importlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path

import click

from dplda.cli.console import forgiving_streams, one_line
from dplda.core.errors import DpldaError, InputError
from dplda.core.safe_open import refusal
from dplda.core.versions import VERSION
from dplda.corpus import disk_cache

REFUSED = 2
FAULT = 70
INTERRUPTED = 130
COMMANDS = {
    "app": ("dashboard", "start the dashboard on this machine and print its address"),
    "health": ("operating.health", "print disk, memory, pool and sessions of a running server"),
    "read": ("reading_options", "read documents and report what was kept, changed and why"),
    "ledger": ("ledger", "declare, lower, show and check privacy budgets"),
    "release": ("release", "release private topics of sensitive documents and charge the ledger"),
    "shares": ("shares", "release topic shares by group or over time, beside released topics"),
    "apply": ("apply", "write the topic shares of new documents, by released topics"),
    "report": ("report", "turn a released file into a web page"),
    "page": ("page", "write Play as one web page that needs no server"),
    "fit": ("fit", "find topics of public documents and write a table or a page"),
    "sweep": ("sweep", "run a sweep, or the missing part of it, and print a summary"),
    "audit": ("audit", "attack a method: do its releases tell two neighboring datasets apart?"),
    "audit-topics": ("audit_topics", "attack a finished topic table: who was in?"),
}


class _Commands(click.Group):
    """Commands by name; a command's file is imported only when it is called."""

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import the command of this name, and give it its help; None for an unknown name."""
        if name not in COMMANDS:
            return None
        file, help_text = COMMANDS[name]
        command: click.Command = importlib.import_module(f"dplda.cli.{file}").COMMAND
        command.help = help_text
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_text) for name, (_, help_text) in COMMANDS.items()])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; say on the error stream why it ended early, if it did.

    A request of the system to end (SIGTERM) counts as an interruption.

    Args:
        arguments: after the name of the program; None for those of this process.

    Returns:
        0 for success, 2 for a refusal, 130 for an interruption, 70 for a fault of dplda's own, or
        what the command says. An output that nobody reads changes nothing; one that a full disk
        does not take is a refusal.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(
            signal.SIGTERM, signal.default_int_handler
        )  # so that a command cleans up before it ends
    with forgiving_streams() as output:
        status = _run(sys.argv[1:] if arguments is None else arguments)
        output.flush()
        output_error = output.trouble
        if output_error is None or isinstance(output_error, BrokenPipeError) or status == REFUSED:
            return status
        _say(f"The command ended, but what it printed did not all arrive: {output_error.strerror}.")
        return REFUSED


def _run(arguments: Sequence[str]) -> int:
    """Run one command, and return its status; if it ends early, print why in a sentence.

    A missing package, an error of the system and too little memory are refusals. The sentence on a
    fault of dplda's own holds no text of the error, which may quote a document.

    Returns:
        What the command says; or click's status for wrong arguments, ``REFUSED``, ``INTERRUPTED``
        or ``FAULT``. No ``Exception`` leaves it.
    """
    try:
        _check_text(arguments)
        status: int = _group().main(arguments, "dplda", standalone_mode=False)
        return status
    except click.ClickException as error:
        error.message = one_line(error.message)  # type: ignore[misc]
        error.show(file=sys.stderr)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        _say("interrupted.")
        return INTERRUPTED
    except ModuleNotFoundError as error:
        package = (error.name or "").split(".")[0]
        _say(f"This command needs {package}, which is not installed. Run: pip install dplda")
        return REFUSED
    except (DpldaError, OSError, MemoryError, RecursionError) as error:
        stated_error = error if isinstance(error, DpldaError) else refusal(error)
        _say(str(stated_error))
        return REFUSED
    except Exception as error:  # its text may quote a document
        _say(f"stopped by a fault of its own ({_place(error)}). Please report this line.")
        return FAULT


def _group() -> click.Group:
    """Make the ``dplda`` command; before any other it warns if results cannot be saved."""
    group = _Commands(
        callback=_say_trouble,
        no_args_is_help=False,
        help="See what differential privacy costs a topic model.",
        context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    )
    click.version_option(VERSION, message="dplda %(version)s")(group)
    return group


def _say_trouble() -> None:
    """Warn if results cannot be saved in the cache folder."""
    trouble = disk_cache.describe_trouble()
    if trouble:
        _say(trouble)


def _check_text(arguments: Sequence[str]) -> None:
    """Refuse arguments that no name of a file can hold.

    Raises:
        InputError: one has a zero character or is no valid text; says its number, from 1.
    """
    for number, argument in enumerate(arguments, start=1):
        try:
            is_text = b"\0" not in os.fsencode(argument)
        except UnicodeEncodeError:
            is_text = False
        if not is_text:
            raise InputError(f"argument {number}", "valid text without zero characters", "another")


def _place(error: Exception) -> str:
    """Kind of an error, and the line of code that raised it, without its text."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__} at {Path(frames[-1].filename).name}:{frames[-1].lineno}"


def _say(text: str) -> None:
    """Print a text on one line of standard error, after the program's name."""
    print(f"dplda: {one_line(text)}", file=sys.stderr)
