"""``dplda report``: turn a released file into pages, a card and a record."""

from collections.abc import Sequence
from pathlib import Path

from click import Argument, Option

from dplda.cli.options import Command, check_out, leave_out, named_path
from dplda.core.errors import InputError
from dplda.core.safe_open import write
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import read_release_file
from dplda.release.publication.card import render_card
from dplda.release.publication.officer import render_officer_page
from dplda.release.publication.record import render_record
from dplda.release.report.page import render_release
from dplda.release.shares.shares_file import ReleasedShares, read_shares_file
from dplda.release.shares.together import guarantee_together
from dplda.release.verdict.outcome import judge_release


def report(
    release: Path,
    tables: tuple[Path, ...],
    out: Path | None,
    card: Path | None,
    file_at: str,
    officer: Path | None,
    record: Path | None,
) -> int:
    """Write what is handed out with a released file, and print its verdict and guarantee.

    Args:
        release: the released file.
        tables: released tables of topic shares of the same topics; may be none.
        out: the report to write; None for none, like the next ones.
        card: the card to write, an SVG.
        file_at: where readers find the released file, for the card; empty for its SHA-256.
        officer: the page for a data protection officer to write.
        record: the record for a registry to write, YAML.

    Returns:
        0.

    Raises:
        InputError: nothing is to be written, ``file_at`` was given without ``card``, a file to
            write was typed for another argument, too, or a table is of other topics.
        ReadError: a file cannot be read or written.
    """
    output_paths = [path for path in (out, card, officer, record) if path is not None]
    if not output_paths:
        requirement = "written with --out, --card, --officer or --record"
        raise InputError("the report", requirement, "none of them")
    if card is None:
        leave_out("without --card", "file_at")
    for output_path in output_paths:
        check_out(output_path, release)
    artefact = read_release_file(release)
    share_tables = [read_shares_file(table_path) for table_path in tables]
    report_page = render_release(artefact, share_tables)  # refuses tables of other topics
    if out is not None:
        write(out, report_page)
    if card is not None:
        write(card, render_card(artefact, share_tables, file_at=file_at))
    if officer is not None:
        write(officer, render_officer_page(artefact, share_tables))
    if record is not None:
        write(record, render_record(artefact, share_tables))
    _print_summary(artefact, share_tables, output_paths)
    return 0


def _print_summary(
    artefact: Artefact, share_tables: Sequence[ReleasedShares], output_paths: Sequence[Path]
) -> None:
    """Print names of the written files with the guarantee of all, the verdict, and the risk."""
    file_names = ", ".join(output_path.name for output_path in output_paths)
    guarantee = guarantee_together(artefact, share_tables)
    print(f"{file_names}: {guarantee.in_words()}")
    print(judge_release(artefact).describe())
    print(guarantee.claimed_risk.describe_right_guess(guarantee.adjacency.unit))


SHARES = Option(
    ["--shares", "tables"],
    type=named_path,
    multiple=True,
    help="a table that dplda shares wrote, to be shown with the topics; may be repeated",
)
OUT = Option(["--out"], type=named_path, help="the page to write, for example report.html")
CARD = Option(["--card"], type=named_path, help="a card to post, for example card.svg")
FILE_AT = Option(
    ["--file-at"], default="", help="where readers find the released file; it stands on the card"
)
OFFICER = Option(
    ["--officer"], type=named_path, help="one page for a data protection officer, HTML"
)
RECORD = Option(
    ["--record"], type=named_path, help="a record for OpenDP's deployments registry, YAML"
)
COMMAND = Command(
    "report",
    report,
    Argument(["release"], type=named_path),
    SHARES,
    OUT,
    CARD,
    FILE_AT,
    OFFICER,
    RECORD,
)
