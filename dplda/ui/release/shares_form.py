"""Topic shares by group and over time, in the last step of a release: asked for, priced, shown."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import streamlit as st

from dplda.core.errors import DpldaError, InputError, NotReleasable
from dplda.corpus import Corpus
from dplda.corpus.group_columns import GroupColumn
from dplda.methods.shares.groups import GroupAxis, Groups, Period
from dplda.methods.shares.time_labels import parse_first_day
from dplda.privacy.release import Caveat
from dplda.release.artefact.artefact import Artefact
from dplda.release.ledger.folder import Folder, FolderError
from dplda.release.ledger.ledger import Ledger, LedgerError
from dplda.release.report.share_chart import render_share_chart, share_chart
from dplda.release.shares import checks, shares_store
from dplda.release.shares.price import describe_shares_price
from dplda.release.shares.request import SharesRequest
from dplda.release.shares.shares_file import (
    SHARES_SUFFIX,
    AxisKind,
    AxisSource,
    ReleasedShares,
    write_shares,
)
from dplda.release.shares.shares_job import SharesJob
from dplda.release.workflow.journal.progress import Progress
from dplda.ui.literal import literal
from dplda.ui.shell import downloads
from dplda.ui.state import session
from dplda.ui.state.keys import Key

SECONDS_BETWEEN_LOOKS = 0.2
INK_ON_LIGHT = "#1a2230"
INK_ON_DARK = "#e6ebf4"
EPSILONS = (0.1, 0.2, 0.3, 0.5, 1.0, 2.0)
USUAL_EPSILON = 0.3
NO_COLUMNS = (
    "The documents were read without columns to group by. To compare groups, times or two"
    " collections, open the first step, read the file again, and choose them there."
)
LIST_HELP = (
    "One name a line, as the column writes it. Type it from what is public: a list taken from the"
    " documents would not be protected."
)
TYPED = "typed"
BY_SIZE = "chosen privately by size"
SIZE_HELP = (
    "The largest groups of the column, chosen with noise. It uses a quarter of this table's budget,"
    " so type the groups where a list is public."
)
USUAL_GROUPS_CHOSEN = 10
MAX_GROUPS_CHOSEN = 500
TWO_COLLECTIONS = "Last year and this year, complaints and praise: two collections are two groups."
FILE_HELP = "The noisy table with its guarantee. dplda report --shares shows it in a report."


def draw(
    corpus: Corpus | None, released_topics: Artefact, dataset: str, caveats: tuple[Caveat, ...]
) -> None:
    """Draw the tables that were released for these topics, and the form for another one.

    If no documents with columns of groups are open, a sentence stands in place of the form. A
    refusal is drawn below it.

    Args:
        corpus: the documents at hand; None for none.
        released_topics: the release.
        dataset: of the release.
        caveats: what was seen of the documents.
    """
    for share_table in released_tables(released_topics):
        _draw_table(share_table, released_topics)
    group_columns = () if corpus is None else corpus.as_read.group_columns
    if corpus is None or not group_columns:
        st.markdown(NO_COLUMNS)
        return
    st.markdown(
        "Who talks about what, and since when: one more release, with noise of its own."
        f" {TWO_COLLECTIONS}"
    )
    try:
        request = _choose_request(group_columns, released_topics, dataset, caveats)
        if request is not None:
            _draw_request(corpus, request)
    except DpldaError as error:  # the rest of the page stays
        st.info(literal(str(error)))


def released_tables(released_topics: Artefact) -> list[ReleasedShares]:
    """Tables of shares of these topics, oldest first."""
    return shares_store.shares_of(released_topics.receipt_number, Folder())


def tables_of_chain(released_topics: Artefact) -> list[ReleasedShares]:
    """Tables of shares of these topics, and of the releases that they continue."""
    return shares_store.shares_of_chain(released_topics.receipt_number, Folder())


def _draw_table(table: ReleasedShares, released_topics: Artefact) -> None:
    """Draw a released table as a chart under its title, and a button that saves its file.

    The chart has the ink of the page's theme, light or dark.
    """
    chart = share_chart(table, released_topics)
    st.subheader(literal(chart.title), anchor=False)
    ink = INK_ON_LIGHT
    if st.context.theme.type == "dark":
        ink = INK_ON_DARK
    st.html(render_share_chart(chart, table.receipt_number[:12], ink=ink))
    downloads.draw_save_button(
        "The table",
        lambda: write_shares(table),
        f"table-{table.receipt_number[:8]}{SHARES_SUFFIX}",
        icon_name="download",
        help=FILE_HELP,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _AxisChoice:
    """The choice of a table's groups, or of its times.

    Attributes:
        axis: groups or times; None where no column is chosen, or its values are missing.
        source: the column that they come from; None as above.
        is_missing: whether a column is chosen, and its groups or times are not typed.
    """

    axis: GroupAxis | None = None
    source: AxisSource | None = None
    is_missing: bool = False


def _choose_request(
    columns: Sequence[GroupColumn],
    released_topics: Artefact,
    dataset: str,
    caveats: tuple[Caveat, ...],
) -> SharesRequest | None:
    """Draw the choice of groups, times and ε, and return the request; δ is that of the topics.

    None, with a caption on what is missing, while no column is chosen, or one without its groups or
    times: a table that is paid for has what was asked for.

    Raises:
        InputError: groups or times are typed that a table cannot have.
    """
    left_column, right_column = st.columns(2)
    with left_column:
        group_choice = _choose_groups(columns)
    with right_column:
        time_choice = _choose_times([column.name for column in columns if not column.is_of_files])
    table_epsilon = st.select_slider(
        "ε of this table",
        EPSILONS,
        USUAL_EPSILON,
        key=Key.SHARES_EPSILON,
        help="More ε means less noise in the shares, and more of the budget.",
    )
    axis_choices = (group_choice, time_choice)
    axes = tuple(axis_choice.axis for axis_choice in axis_choices if axis_choice.axis is not None)
    axis_sources = tuple(
        axis_choice.source for axis_choice in axis_choices if axis_choice.source is not None
    )
    if not axes or group_choice.is_missing or time_choice.is_missing:
        st.caption("Choose a column, and type its groups or the first and last time.")
        return None
    return SharesRequest(
        dataset=dataset,
        parent=released_topics,
        groups=Groups(axes),
        sources=axis_sources,
        epsilon=float(table_epsilon),
        delta=released_topics.guarantee.claimed_delta,
        caveats=caveats,
    )


def _choose_groups(columns: Sequence[GroupColumn]) -> _AxisChoice:
    """Draw the choice of a column of groups, and of its groups, and return both.

    Collections that were read together are chosen at first; their names are drawn in place of a
    choice of groups. Both are empty if no column is chosen; the groups may be still missing.
    """
    column_of_files = next((column for column in columns if column.is_of_files), None)
    column_names = [column.name for column in columns]
    first_index = None
    if column_of_files is not None:
        first_index = column_names.index(column_of_files.name)
    chosen_name = st.selectbox(
        "By group",
        column_names,
        index=first_index,
        placeholder="No groups",
        format_func=literal,
        key=Key.SHARES_BY,
    )
    if chosen_name is None:
        return _AxisChoice()
    if column_of_files is not None and chosen_name == column_of_files.name:
        st.markdown(literal(f"Collections: {' and '.join(column_of_files.values)}."))
        return _AxisChoice(GroupAxis(column_of_files.values), AxisSource(chosen_name))
    group_axis = _list_groups()
    if group_axis is None:
        return _AxisChoice(is_missing=True)
    return _AxisChoice(group_axis, AxisSource(chosen_name))


def _list_groups() -> GroupAxis | None:
    """Draw the choice between typed groups and the largest ones, and return the groups.

    Typed ones stand one a line; blank lines do not count. The largest ones are chosen with noise
    at the release: here, only their largest number is asked for, and the labels are placeholders.
    None while nothing is typed.

    Raises:
        InputError: a typed group stands twice, is too long, or is ``other``.
    """
    is_typed = st.segmented_control(
        "Groups",
        [True, False],
        default=True,
        required=True,
        format_func=lambda is_typed: TYPED if is_typed else BY_SIZE,
        key=Key.SHARES_LIST,
        label_visibility="collapsed",
    )
    if not is_typed:
        n_groups = st.number_input(
            "At most",
            2,
            MAX_GROUPS_CHOSEN,
            USUAL_GROUPS_CHOSEN,
            key=Key.SHARES_N_GROUPS,
            help=SIZE_HELP,
        )
        return GroupAxis.to_select(int(n_groups))
    typed_text = st.text_area(
        "Groups, one a line", key=Key.SHARES_GROUPS, help=LIST_HELP, height=120
    )
    typed_groups = tuple(line for line in typed_text.splitlines() if line.strip())
    if not typed_groups:
        return None
    return GroupAxis(typed_groups)


def _choose_times(column_names: Sequence[str]) -> _AxisChoice:
    """Draw the choice of a column of dates, of months or years, and of the first and last time.

    Without a column, the choice is empty; while one of the two times is not typed, it is marked as
    missing.

    Raises:
        InputError: a time is typed that is none.
    """
    chosen_name = st.selectbox(
        "Over time",
        column_names,
        index=None,
        placeholder="No times",
        format_func=literal,
        key=Key.SHARES_TIME,
    )
    if chosen_name is None:
        return _AxisChoice()
    axis_kind = st.segmented_control(
        "Steps of time",
        [AxisKind.MONTH, AxisKind.YEAR],
        default=AxisKind.MONTH,
        required=True,
        format_func=lambda kind: f"by {kind}",
        key=Key.SHARES_STEP,
        label_visibility="collapsed",
    )
    time_axis = _type_times(is_monthly=axis_kind is AxisKind.MONTH)
    if time_axis is None:
        return _AxisChoice(is_missing=True)
    return _AxisChoice(time_axis, AxisSource(chosen_name, AxisKind(axis_kind)))


def _type_times(*, is_monthly: bool) -> GroupAxis | None:
    """Draw fields of the first and the last time, and return all months or years between them.

    None while one of the two is not typed.

    Raises:
        InputError: a time is typed that is none, or the last one is before the first.
    """
    example = "2024-01" if is_monthly else "2019"
    from_column, to_column = st.columns(2)
    first_text = from_column.text_input("From", placeholder=example, key=Key.SHARES_FROM)
    last_text = to_column.text_input("To", placeholder=example, key=Key.SHARES_TO)
    if not (first_text.strip() and last_text.strip()):
        return None
    time_step = Period.MONTH if is_monthly else Period.YEAR
    return GroupAxis.of_dates(_read_date(first_text), _read_date(last_text), time_step)


def _read_date(text: str) -> date:
    """A year, a month or a day, as ISO 8601 writes them.

    Raises:
        InputError: it is none.
    """
    try:
        return parse_first_day(text)
    except (ValueError, OverflowError):
        raise InputError("a time", "a year or a month, such as 2024-03", "another text") from None


def _draw_request(corpus: Corpus, request: SharesRequest) -> None:
    """Draw what a table costs and can tell, and the button that releases it.

    The documents are counted as the topics' release counted them, and the request is checked. Then
    waits for a release of this table that is under way. For a table that was released before, only
    that it is shown above. The button finishes an interrupted table at no further cost, and is
    disabled if the budget has no room.

    Args:
        corpus: the documents at hand.
        request: of the table.

    Raises:
        DpldaError: the request is refused.
    """
    folder = Folder()
    corpus_as_released = checks.as_parent_read(corpus, request, folder)
    checks.check_shares_request(corpus_as_released, request, folder)
    _follow_job(request)
    if shares_store.find_existing_shares(corpus_as_released, request, folder) is not None:
        st.success("This table is released: it is shown above.")
        return
    n_units = checks.count_units(corpus_as_released, request, folder)
    earlier_progress = shares_store.find_shares_progress(corpus_as_released, request, folder)
    has_room = _draw_price(request, n_units, earlier_progress)
    label = "Finish the table"
    if earlier_progress is None:
        label = "Use the budget and release the table"
    st.button(
        label,
        type="primary",
        key=Key.SHARES_NOW,
        disabled=not has_room,
        on_click=_begin,
        args=(corpus_as_released, request),
    )


def _draw_price(request: SharesRequest, n_units: int, progress: Progress | None) -> bool:
    """Draw what a table costs and can tell, and return whether the budget has room for it.

    An interrupted table always has room: it is charged already.

    Args:
        request: of the table.
        n_units: number of documents, or of persons if they are protected.
        progress: what became of this table's charge; None before one.
    """
    ledger = Ledger(Folder())
    balance = ledger.balance(request.dataset)
    protected_unit = ledger.protects(request.dataset)
    price_sentence, *price_notes = map(
        literal,
        describe_shares_price(
            request, n_units, protected_unit, balance, progress, tables_of_chain(request.parent)
        ),
    )
    note_lines = [f"- {price_note}" for price_note in price_notes]
    st.markdown("\n".join((f"**{price_sentence}**\n", *note_lines)))
    if progress is not None:
        return True
    balance_after_release = balance.after_release(
        epsilon=request.epsilon, delta=request.delta, spending=request.spending(n_units)
    )
    return balance_after_release is not None


def _begin(corpus: Corpus, request: SharesRequest) -> None:
    session.put(Key.SHARES_JOB, SharesJob(corpus, request))


def _follow_job(request: SharesRequest) -> None:
    """Wait for this table's release with a progress bar, then run the page again.

    Does nothing if the session has no job for this request. The job is forgotten once it ended.
    After an error that follows the charge, the page is not run again: a message says that the
    budget is used.

    Raises:
        NotReleasable, LedgerError, FolderError: it was refused before anything was charged.
    """
    job: SharesJob | None = st.session_state.get(Key.SHARES_JOB)
    if job is None or job.request_text != request.canonical_text():
        return
    progress_place = st.empty()
    while not job.future.done():
        share_done, step_name = job.last_report
        progress_text = f"Releasing: {step_name}. Leaving this page does not stop it."
        progress_place.progress(share_done, text=progress_text)
        time.sleep(SECONDS_BETWEEN_LOOKS)
    progress_place.empty()
    st.session_state.pop(Key.SHARES_JOB)
    try:
        job.future.result()
    except (NotReleasable, LedgerError, FolderError):
        raise
    except DpldaError as error:
        st.error(literal(f"{error} The budget is used anyway. Ask again: it costs nothing more."))
        return
    st.rerun()
