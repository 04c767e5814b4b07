"""``dplda report``: turn a released file into a web page."""

from pathlib import Path

from click import Argument, Option

from dplda.cli.options import Command, check_out, named_path
from dplda.core.safe_open import write
from dplda.release.artefact.released_file import read_release_file
from dplda.release.report.page import render_release
from dplda.release.shares.shares_file import read_shares_file


def report(release: Path, tables: tuple[Path, ...], out: Path) -> int:
    """Write the report of a released file and print its guarantee.

    Args:
        release: the released file.
        tables: released tables of topic shares of the same topics; may be none.
        out: the page to write.
    """
    check_out(out, release)
    artefact = read_release_file(release)
    page = render_release(artefact, [read_shares_file(table) for table in tables])
    write(out, page)
    print(f"{out.name}: {artefact.guarantee.in_words()}")
    return 0


OUT = Option(
    ["--out"], type=named_path, required=True, help="the page to write, for example report.html"
)
SHARES = Option(
    ["--shares", "tables"],
    type=named_path,
    multiple=True,
    help="a table that dplda shares wrote, to be shown with the topics; may be repeated",
)
COMMAND = Command("report", report, Argument(["release"], type=named_path), SHARES, OUT)
