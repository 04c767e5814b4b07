"""The owner's changes to released topics: names, merging, hiding, order; all can be undone."""

from dataclasses import replace

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.evaluation.relevance import LONGEST_NAME, default_names
from dplda.release.artefact.arrangement import arrange
from dplda.release.artefact.released_file import read_release_file, write_release
from dplda.release.ledger.folder import Folder
from dplda.release.workflow.request import Receipt
from dplda.ui.literal import literal
from dplda.ui.state import session
from dplda.ui.state.keys import Key

Groups = tuple[tuple[int, ...], ...]


def draw(receipt: Receipt) -> None:
    """Draw controls to name, show, hide, order and merge topics, and a button that undoes it."""
    one = receipt.artefact
    if not len(one.topics):
        return
    shown = one.groups or tuple((row,) for row in range(len(one.topics)))
    _names(receipt, shown)
    there = {row for group in (*shown, *one.hidden) for row in group}
    hidden = (*one.hidden, *((row,) for row in range(len(one.topics)) if row not in there))
    key = f"{Key.RELEASE_GROUPS}.{one.receipt_number[:12]}"
    st.session_state[key] = list(shown)
    left, right = st.columns(2, vertical_alignment="bottom")
    left.multiselect(
        "Topics shown, in this order",
        [*shown, *hidden],
        format_func=_title,
        key=key,
        on_change=lambda: _keep(receipt, tuple(st.session_state[key]) or shown),
        help="Remove a topic to hide it. Add it again to put it last.",
    )
    chosen = right.multiselect(
        "Topics to merge",
        shown,
        format_func=_title,
        key=f"{Key.RELEASE_MERGE}.{one.receipt_number[:12]}.{shown}",
        placeholder="Choose two or more",
    )
    with st.container(horizontal=True):
        merged = tuple(sorted({row for group in chosen for row in group}))
        st.button(
            "Merge",
            key=Key.RELEASE_MERGE,
            disabled=len(chosen) < 2,
            on_click=_keep,
            args=(receipt, _joined(shown, merged)),
        )
        st.button(
            "Show all as released",
            key=Key.RELEASE_AS_WAS,
            disabled=not one.groups,
            on_click=_keep,
            args=(receipt, ()),
        )
    st.caption(
        "This is your reading of the topics and costs no budget. The report and the file keep it: the file's SHA-256"
        " changes, the released numbers do not. Ranges of merged topics add up, so they tend to be too wide."
    )


def _title(group: tuple[int, ...]) -> str:
    return f"Topic{'s' if len(group) > 1 else ''} {' + '.join(str(row + 1) for row in group)}"


def _joined(shown: Groups, merged: tuple[int, ...]) -> Groups:
    """The groups with the merged rows as one, in the place of its first."""
    rows, kept = set(merged), []
    for group in shown:
        if rows.isdisjoint(group):
            kept.append(group)
        elif merged not in kept:
            kept.append(merged)
    return tuple(kept)


def _names(receipt: Receipt, shown: Groups) -> None:
    now = arrange(receipt.artefact)
    words = default_names(now.topics, now.word_frequencies, now.vocabulary)
    for i, (group, said) in enumerate(zip(shown, words, strict=True)):
        key = f"{Key.RELEASE_NAME}.{now.receipt_number[:12]}.{group[0]}"
        st.session_state[key] = (now.names[i] if now.names else None) or ""
        if i % 2 == 0:  # in rows, so that they are in order on a phone too
            columns = st.columns(2)
        columns[i % 2].text_input(
            f"{_title(group)}: {literal(said)}",
            max_chars=LONGEST_NAME,
            key=key,
            on_change=_name,
            args=(receipt, group[0], key),
        )


def _name(receipt: Receipt, row: int, key: str) -> None:
    _keep(
        receipt,
        receipt.artefact.groups,
        (row, " ".join(str(st.session_state[key]).split()) or None),
    )


def _keep(receipt: Receipt, groups: Groups, *given: tuple[int, str | None]) -> None:
    """Save an arrangement and a name by row; a name given to merged topics lasts only while they are merged."""
    try:
        one, rows = (
            read_release_file(receipt.path),
            {row for group in groups for row in group},
        )  # of another tab, too
        hidden = tuple(
            group
            for group in (*one.groups, *one.hidden)
            if groups and rows.isdisjoint(group) and group[1:]
        )
        merged = {group[0] for group in (*groups, *hidden) if group[1:]}
        names = list(one.names or (None,) * len(one.topics))
        before: dict[int, str | None] = st.session_state.setdefault(
            f"{Key.RELEASE_NAME}s.{one.receipt_number}", {}
        )
        for row, name in given:
            if row in merged:
                before.setdefault(row, names[row])
            names[row] = name
        for row in before.keys() - merged:
            names[row] = before.pop(row)
        if groups == tuple((row,) for row in range(len(names))):
            groups = ()
        Folder().write(
            receipt.path.name,
            write_release(replace(one, names=tuple(names), groups=groups, hidden=hidden)),
        )
    except DpldaError as error:
        session.notice(str(error))
