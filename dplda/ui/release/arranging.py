"""The owner's changes to released topics: names, merging, hiding, order; all can be undone."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.evaluation.relevance import MAX_NAME_CHARACTERS, default_names
from dplda.release.artefact.arrangement import arrange
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import read_release_file, write_release
from dplda.release.ledger.folder import Folder
from dplda.release.workflow.receipt import Receipt
from dplda.ui.literal import literal
from dplda.ui.state import session
from dplda.ui.state.keys import Key

Group: TypeAlias = tuple[int, ...]  # rows of released topics that are shown as one
Groups: TypeAlias = tuple[Group, ...]
NAMES_IN_A_ROW = 2
ARRANGEMENT_CAPTION = (
    "This is your reading of the topics and costs no budget. The report and the file keep it: the"
    " file's SHA-256 changes, the released numbers do not. Ranges of merged topics add up, so they"
    " tend to be too wide."
)


def draw(receipt: Receipt) -> None:
    """Draw controls to name, show, hide, order and merge topics, and a button that undoes it.

    Names of single topics are not undone. Draws nothing for a release without topics. Every change
    is saved into the released file at once.
    """
    artefact = receipt.artefact
    if not len(artefact.topics):
        return
    shown_groups = artefact.groups or _single_topics(len(artefact.topics))
    _draw_names(receipt, shown_groups)
    left_column, right_column = st.columns(2, vertical_alignment="bottom")
    with left_column:
        _choose_groups(receipt, shown_groups)
    with right_column:
        groups_to_merge = st.multiselect(
            "Topics to merge",
            shown_groups,
            format_func=_title,
            key=f"{Key.RELEASE_MERGE}.{artefact.receipt_number[:12]}.{shown_groups}",
            placeholder="Choose two or more",
        )
    with st.container(horizontal=True):
        st.button(
            "Merge",
            key=Key.RELEASE_MERGE,
            disabled=len(groups_to_merge) < 2,
            on_click=_save,
            args=(receipt, _merge(shown_groups, groups_to_merge)),
        )
        st.button(
            "Show all as released",
            key=Key.RELEASE_AS_WAS,
            disabled=not artefact.groups,
            on_click=_save,
            args=(receipt, ()),
        )
    st.caption(ARRANGEMENT_CAPTION)


def _choose_groups(receipt: Receipt, groups: Groups) -> None:
    """Draw the choice of the topics that are shown, and their order; a change is saved.

    To empty the choice changes nothing. After the shown topics hidden ones are offered: merged ones
    as one topic, then single ones by row.
    """
    artefact = receipt.artefact
    grouped_topics = {row for group in (*groups, *artefact.hidden) for row in group}
    single_topics = _single_topics(len(artefact.topics))
    single_topics_in_no_group = tuple(
        group for group in single_topics if group[0] not in grouped_topics
    )
    widget_key = f"{Key.RELEASE_GROUPS}.{artefact.receipt_number[:12]}"
    st.session_state[widget_key] = list(groups)

    def save() -> None:
        _save(receipt, tuple(st.session_state[widget_key]) or groups)

    st.multiselect(
        "Topics shown, in this order",
        [*groups, *artefact.hidden, *single_topics_in_no_group],
        format_func=_title,
        key=widget_key,
        on_change=save,
        help="Remove a topic to hide it. Add it again to put it last.",
    )


def _single_topics(n_topics: int) -> Groups:
    """Every topic by itself, in the order of the release."""
    return tuple((row,) for row in range(n_topics))


def _title(group: Group) -> str:
    plural = "s" if len(group) > 1 else ""
    return f"Topic{plural} {' + '.join(str(row + 1) for row in group)}"


def _merge(groups: Groups, groups_to_merge: Iterable[Group]) -> Groups:
    """Replace some of the groups by one of all their topics, sorted, in the place of the first."""
    merged_group = tuple(sorted({row for group in groups_to_merge for row in group}))
    new_groups: list[Group] = []
    for group in groups:
        if set(merged_group).isdisjoint(group):
            new_groups.append(group)
        elif merged_group not in new_groups:
            new_groups.append(merged_group)
    return tuple(new_groups)


def _draw_names(receipt: Receipt, groups: Groups) -> None:
    """Draw a field for the name of each topic, in rows, with its relevant words as label.

    A change is saved into the released file.
    """
    arranged = arrange(receipt.artefact)
    own_names = arranged.names or (None,) * len(groups)
    default_topic_names = default_names(
        arranged.topics, arranged.word_frequencies, arranged.vocabulary, arranged.evidence
    )
    layout_columns = st.columns(NAMES_IN_A_ROW)
    for group_index, (group, own_name, leading_words) in enumerate(
        zip(groups, own_names, default_topic_names, strict=True)
    ):
        column_index = group_index % NAMES_IN_A_ROW
        if group_index and column_index == 0:
            layout_columns = st.columns(NAMES_IN_A_ROW)
        with layout_columns[column_index]:
            _draw_name_field(receipt, group, own_name, leading_words)


def _draw_name_field(
    receipt: Receipt, group: Group, own_name: str | None, leading_words: str
) -> None:
    """Draw the field of one topic's name, filled with the present one; empty for None.

    Its label has the topic's title and leading words; it takes ``MAX_NAME_CHARACTERS`` at most. A
    change is saved into the released file.
    """
    field_key = f"{Key.RELEASE_NAME}.{receipt.artefact.receipt_number[:12]}.{group[0]}"
    st.session_state[field_key] = own_name or ""
    st.text_input(
        f"{_title(group)}: {literal(leading_words)}",
        max_chars=MAX_NAME_CHARACTERS,
        key=field_key,
        on_change=_rename_from_widget,
        args=(receipt, group[0], field_key),
    )


def _rename_from_widget(receipt: Receipt, row: int, key: str) -> None:
    name = " ".join(str(st.session_state[key]).split()) or None
    _save(receipt, receipt.artefact.groups, new_name=(row, name))


def _save(
    receipt: Receipt, new_groups: Groups, *, new_name: tuple[int, str | None] | None = None
) -> None:
    """Write an arrangement, and a new name if there is one, into the released file.

    The file is read again first. Merged topics that are hidden by it stay merged. An arrangement
    that is the released order is written as none. An error becomes a notice, and nothing is
    written.

    Args:
        receipt: of the release.
        new_groups: the topics that are shown; empty for all as released.
        new_name: row of a topic, and its name; None for no new one.
    """
    try:
        artefact = read_release_file(receipt.path)  # another tab may have changed it
        rows_shown = {row for group in new_groups for row in group}
        hidden_groups = tuple(
            group
            for group in (*artefact.groups, *artefact.hidden)
            if new_groups and rows_shown.isdisjoint(group) and len(group) > 1
        )
        new_names = _renamed(artefact, (*new_groups, *hidden_groups), new_name)
        if new_groups == _single_topics(len(new_names)):
            new_groups = ()
        arranged = replace(artefact, names=new_names, groups=new_groups, hidden=hidden_groups)
        Folder().write(receipt.path.name, write_release(arranged))
    except DpldaError as error:
        session.notice(str(error))


def _renamed(
    artefact: Artefact, groups: Groups, new_name: tuple[int, str | None] | None
) -> tuple[str | None, ...]:
    """Names by row with the new one; a name given to merged topics is lost when they are parted.

    The name that the first of them had before the merge then comes back, in this session.

    Args:
        artefact: the release.
        groups: topics as they will be shown, and hidden ones that stay merged.
        new_name: row of a topic, and its name; None for no new one.
    """
    first_rows_of_merged = {group[0] for group in groups if len(group) > 1}
    new_names = list(artefact.names or (None,) * len(artefact.topics))
    names_before_merging: dict[int, str | None] = st.session_state.setdefault(
        f"{Key.RELEASE_NAME}s.{artefact.receipt_number}", {}
    )
    if new_name is not None:
        row, given_name = new_name
        if row in first_rows_of_merged:
            names_before_merging.setdefault(row, new_names[row])
        new_names[row] = given_name
    for row in names_before_merging.keys() - first_rows_of_merged:
        new_names[row] = names_before_merging.pop(row)
    return tuple(new_names)
