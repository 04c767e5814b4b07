"""``dplda shares``: topic shares by group or over time, charged to the ledger."""

from datetime import date
from functools import partial
from pathlib import Path

from click import Argument, Option

from dplda.cli.options import DOCUMENTS, Command, check_out, leave_out, named_path, progress
from dplda.cli.reading_options import PERSON, reading, say_remarks
from dplda.core.errors import InputError
from dplda.core.safe_open import text_of, write
from dplda.corpus import Corpus, Label, load
from dplda.corpus.group_columns import FILE_COLUMN
from dplda.corpus.words.tokenisation import released_list
from dplda.methods.shares.groups import GroupAxis, Groups, Period
from dplda.methods.shares.time_labels import parse_first_day
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import read_release_file
from dplda.release.ledger.fingerprints import holds_former_readings
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import DOCUMENT, Ledger
from dplda.release.shares.checks import (
    as_parent_read,
    check_shares_request,
    count_units,
    dataset_of,
)
from dplda.release.shares.perform import release_shares
from dplda.release.shares.price import describe_shares_price
from dplda.release.shares.request import SharesRequest
from dplda.release.shares.shares_file import AxisKind, AxisSource, write_shares
from dplda.release.shares.shares_store import (
    SharesReceipt,
    find_existing_shares,
    find_shares_progress,
    shares_of_chain,
)
from dplda.release.shares.texts import describe_shares

SHARES_EPSILON = 0.3


def shares(
    previous: Path,
    documents: Path,
    reading: partial[Corpus],
    by: str | None,
    groups: Path | None,
    select_groups: int | None,
    by_file: bool,
    by_month: str | None,
    by_year: str | None,
    first: str | None,
    last: str | None,
    epsilon: float,
    delta: float,
    out: Path | None,
    yes: bool,
) -> int:
    """Print what a table of shares costs; with --yes, charge the ledger and print the table.

    A table that was released before is printed again, with or without --yes, and costs nothing.
    Groups, files and times may be combined; at least one of them is needed, and only one column of
    times.

    Args:
        previous: the released file with the topics.
        documents: its documents, with the columns of labels.
        reading: reads the documents.
        by: column of groups; None for none.
        groups: file of the public list of groups, one a line; it or ``select_groups`` is needed
            with ``by``.
        select_groups: how many groups to choose by size, with noise; None for a public list.
        by_file: whether files, or folders of files, are the groups, to compare two collections.
        by_month: column of dates whose month counts; None for none.
        by_year: column of dates whose year counts; None for none.
        first: first date that counts, ISO 8601; needed with ``by_month`` and ``by_year``.
        last: last date that counts, likewise.
        epsilon: ε of the table, with the choice of its groups.
        delta: δ of both.
        out: file for a copy of the table; None for none.
        yes: whether the price is accepted.

    Returns:
        0 for a table, new or found again; 1 where only the price was shown.

    Raises:
        DpldaError: the request is refused; nothing was charged, unless the error says so.
    """
    if out is not None:
        check_out(out, documents)
    folder = Folder()
    ledger = Ledger(folder)
    released_topics = read_release_file(previous)
    dataset = dataset_of(released_topics, folder)
    leave_out("because the released file has the words", "vocabulary")
    if ledger.protects(dataset) == DOCUMENT:
        leave_out("for a dataset that protects documents", "person")
    axes, axis_sources = _axes(by, groups, select_groups, by_month, by_year, first, last)
    if not axes and not by_file:
        hint = "Or compare the files of a folder: --by-file."
        option_names = "--by, --by-month or --by-year"
        raise InputError(option_names, "a column to group by", "none", hint)
    corpus = reading(
        documents,
        label=Label.SENSITIVE,
        vocabulary=_vocabulary(released_topics, reading),
        former=holds_former_readings(ledger),
        groups=[source.column for source in axis_sources],
        by_file=by_file,
    )
    say_remarks(corpus.intake)
    if by_file:
        axes = [_axis_of_files(corpus), *axes]
        axis_sources = [AxisSource(FILE_COLUMN), *axis_sources]
    request = SharesRequest(
        dataset, released_topics, Groups(tuple(axes)), tuple(axis_sources), epsilon, delta
    )
    return _release_or_price(corpus, request, folder, out=out, is_accepted=yes)


def _release_or_price(
    corpus: Corpus, request: SharesRequest, folder: Folder, *, out: Path | None, is_accepted: bool
) -> int:
    """Check a request, print its price, and, if that is accepted, release and print the table.

    A table that was released before is printed again instead. Documents are counted as the release
    of the topics counted them.

    Where the price is not accepted, nothing is released or charged, and the status is 1.

    Args and results are those of ``shares``; ``is_accepted`` is its ``yes``.
    """
    corpus_as_released = as_parent_read(corpus, request, folder)
    check_shares_request(corpus_as_released, request, folder)
    existing_receipt = find_existing_shares(corpus_as_released, request, folder)
    if existing_receipt is not None:
        return _hand_over(existing_receipt, request.parent, folder, out)
    n_units = count_units(corpus_as_released, request, folder)
    earlier_progress = find_shares_progress(corpus_as_released, request, folder)
    ledger = Ledger(folder)
    protected_unit = ledger.protects(request.dataset)
    balance = ledger.balance(request.dataset)
    earlier_tables = shares_of_chain(request.parent.receipt_number, folder)
    price_lines = describe_shares_price(
        request, n_units, protected_unit, balance, earlier_progress, earlier_tables
    )
    print("\n".join(price_lines))
    if not is_accepted:
        print("Nothing was released or charged. To release, run the same command with --yes.")
        return 1
    new_receipt = release_shares(corpus_as_released, request, folder, report=progress())
    return _hand_over(new_receipt, request.parent, folder, out)


def _axes(
    by: str | None,
    groups: Path | None,
    select_groups: int | None,
    by_month: str | None,
    by_year: str | None,
    first: str | None,
    last: str | None,
) -> tuple[list[GroupAxis], list[AxisSource]]:
    """Make the groups from their list, a range of dates, or both, and name their columns.

    Both results have the groups of ``by`` first, then those of dates. They are empty if no column
    is named.

    Raises:
        InputError: a list or a date is missing or without its column, or months and years are both
            asked for.
    """
    axes = []
    axis_sources = []
    if by is not None:
        axes.append(_group_axis(groups, select_groups))
        axis_sources.append(AxisSource(by))
    elif groups is not None:
        raise InputError("--groups", "left out without --by", "a file")
    elif select_groups is not None:
        raise InputError("--select-groups", "left out without --by", "a number")
    if by_month is not None and by_year is not None:
        raise InputError("--by-month and --by-year", "one of them", "both")
    if by_month is not None:
        axes.append(GroupAxis.of_dates(_date("--from", first), _date("--to", last), Period.MONTH))
        axis_sources.append(AxisSource(by_month, AxisKind.MONTH))
    elif by_year is not None:
        axes.append(GroupAxis.of_dates(_date("--from", first), _date("--to", last), Period.YEAR))
        axis_sources.append(AxisSource(by_year, AxisKind.YEAR))
    elif first is not None or last is not None:
        raise InputError("--from and --to", "left out without --by-month or --by-year", "a date")
    return axes, axis_sources


def _axis_of_files(corpus: Corpus) -> GroupAxis:
    """The files, or folders of files, that documents were read from."""
    (column,) = (column for column in corpus.group_columns if column.is_of_files)
    return GroupAxis(column.values)


def _group_axis(groups: Path | None, select_groups: int | None) -> GroupAxis:
    """Make the axis of the groups in a file, or of so many that are still to be chosen by size.

    Groups are the lines of the file that are not blank, with their spaces.

    Raises:
        InputError: both or neither are given.
    """
    if groups is not None and select_groups is not None:
        raise InputError("--groups and --select-groups", "one of them", "both")
    if select_groups is not None:
        return GroupAxis.to_select(select_groups)
    if groups is None:
        fix = (
            "One name a line, chosen without looking at the documents. Without such a list,"
            " --select-groups 10 chooses them privately by size."
        )
        raise InputError("--groups", "a file with the list of groups", "none", fix)
    lines = text_of(groups).splitlines()
    return GroupAxis(tuple(line for line in lines if line.strip()))


def _date(option: str, text: str | None) -> date:
    """A date of an option: a day, or the first day of a month or a year.

    Raises:
        InputError: there is none, or it is no date.
    """
    try:
        return parse_first_day(text or "")
    except (ValueError, OverflowError):
        given_text = "none" if text is None else "another text"
        raise InputError(option, "a date such as 2024-03 or 2024-03-01", given_text) from None


def _vocabulary(parent: Artefact, reading: partial[Corpus]) -> tuple[str, ...] | None:
    """Words that documents are read over: those of the topics; None where they were selected."""
    if parent.resumable is not None and parent.resumable.selected_words is not None:
        return None
    return tuple(released_list(parent.vocabulary, reading.keywords["tokenisation"]))


def _hand_over(receipt: SharesReceipt, parent: Artefact, folder: Folder, out: Path | None) -> int:
    """Print a table and its receipt, and write a copy of the file if one was asked for; 0."""
    tables = shares_of_chain(parent.receipt_number, folder)
    print("\n".join(describe_shares(receipt, parent, tables)), flush=True)
    if out is not None:
        write(out, write_shares(receipt.shares))
    return 0


COMMAND = Command(
    "shares",
    shares,
    Argument(["previous"], type=named_path, metavar="RELEASE"),
    DOCUMENTS,
    reading(partial(load, n_words=None), PERSON),
    Option(["--by"], metavar="COLUMN", help="column of groups"),
    Option(["--groups"], type=named_path, help="public list of groups, one a line"),
    Option(
        ["--select-groups"],
        type=int,
        metavar="N",
        help="choose at most N groups of --by privately, by size, in place of --groups",
    ),
    Option(
        ["--by-file"],
        is_flag=True,
        help="compare the files of a folder or zip archive, or the folders in it",
    ),
    Option(["--by-month"], metavar="COLUMN", help="column of dates, by month"),
    Option(["--by-year"], metavar="COLUMN", help="column of dates, by year"),
    Option(["--from", "first"], metavar="DATE", help="first month or year of the table"),
    Option(["--to", "last"], metavar="DATE", help="last month or year of the table"),
    Option(["--epsilon"], type=float, default=SHARES_EPSILON, help="ε of this table"),
    Option(["--delta"], type=float, default=1e-7, help="δ of this table"),
    Option(["--out"], type=named_path, help="write a copy of the table here"),
    Option(["--yes"], is_flag=True, help="accept the price; without it, dplda only shows it"),
)
