"""``dplda report``: turn a released file into a web page."""

from pathlib import Path

from click import Argument, Option

from dplda.cli.options import Command, check_out, named_path
from dplda.core.safe_open import write
from dplda.release.artefact.released_file import read_release_file
from dplda.release.report.page import render_report
from dplda.release.report.released import contents_of_release


def report(release: Path, out: Path) -> int:
    """Write the report of a released file and print its guarantee.

    Args:
        release: the released file.
        out: the page to write.
    """
    check_out(out, release)
    contents = contents_of_release(read_release_file(release))
    write(out, render_report(contents))
    print(f"{out.name}: {contents.guarantee.in_words()}")
    return 0


OUT = Option(
    ["--out"], type=named_path, required=True, help="the page to write, for example report.html"
)
COMMAND = Command("report", report, Argument(["release"], type=named_path), OUT)
