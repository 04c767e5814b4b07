"""Groups: who talks about what, with noise, without it, and in truth."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda.core.errors import DpldaError
from dplda.experiments.experiment import Experiment
from dplda.experiments.explored_groups import ExploredGroups, list_groups
from dplda.experiments.shares_choice import SharesChoice
from dplda.figures import theme
from dplda.methods.shares.share_result import TopicShares
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.release.shares.texts import describe_surest_change, describe_surest_difference
from dplda.ui.explore import share_comparison, topics_view
from dplda.ui.explore.comparison import compare
from dplda.ui.explore.share_comparison import ShareComparison
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, glossary
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state import link, session
from dplda.ui.state.keys import Key

NARROW_TITLE = 26  # letters that fit across a figure of three in a row
MAX_TOPICS = 12
SLIDER_WIDTH = 216  # pixels: beside two columns' names on a phone
LEAST_MORE = 0.001  # of a price that is written as a number
TERMS = "topic release noise_scale sensitivity"
SENSITIVE = (
    "Shares of these documents are not shown here. To publish who talks about what, release topics"
    " on the page Release, and open *By group and over time* in its last step."
)
NO_COLUMNS = (
    "These documents have no column to group by. Read a table under *Documents* and choose columns,"
    " or use simulated documents, which have districts and months."
)
OF_PERSONS = (
    "Each row here is a person, whose documents may be of many groups. Read the file again without"
    " a column of persons to explore groups."
)
TABLE_HELP = (
    "ε of one more release: a table with a noisy number for each group and topic. However many"
    " groups there are, one document moves it by √2 at most. Budgets add up as squares of μ, so a"
    " small table adds little."
)
DOTS_CAPTION = "Dots: twenty tables that the noise allows. Ring: their mean."
LINES_CAPTION = "Lines: twenty tables that the noise allows. Ring: their mean."
VAGUE_CAPTION = " Gray with “?”: noise hides how the group differs from others."
VAGUE_TIME_CAPTION = " Gray ring with a cross: noise hides how that time differs from others."
CAPTION_HELP = (
    "Shares of words, in percent. Groups with few documents are drawn toward the others, because"
    " noise hides more of them. Point at a mark for its range, which nine in ten tables hold."
)


def with_shares(experiment: Experiment) -> Experiment:
    """The experiment with the table of shares that this view's controls ask for."""
    session_state = st.session_state
    choice = SharesChoice(
        column=str(session_state.get(Key.GROUPS_BY) or ""),
        epsilon=float(session_state.get(Key.GROUPS_EPSILON) or SharesChoice().epsilon),
    )
    return replace(experiment, shares=choice)


def draw(loaded: LoadedExperiment) -> None:
    """Draw the view of shares by group: the surest difference, controls, and figures of topics.

    Without groups, or for sensitive documents, only an explanation of what to do. A refusal of the
    groups is drawn in place of the figures; nothing follows where work was canceled. Where no topic
    is above the noise, that is said instead of everything.
    """
    if not _has_groups(loaded):
        return
    shares_choice = loaded.experiment.shares
    assert shares_choice is not None  # this view completes the experiment
    work_place = st.container(gap=None)  # of progress, which leaves no room behind
    with work_place:
        comparison = compare(loaded)
    if comparison is None:
        return
    if not comparison.lanes[0].filled:
        st.info(topics_view.NONE_ABOVE_NOISE, icon=":material/waves:")
        return
    finding_place = st.container()
    column_names = [column.name for column in loaded.corpus.columns_to_group_by]
    table_choice = _choose_table(column_names, shares_choice.epsilon)
    try:
        explored_groups = list_groups(loaded.corpus, table_choice.column)
        explored_groups.groups.check_cells(loaded.experiment.problem.n_topics)
        with work_place:
            shares_by_group = share_comparison.compare_shares(
                loaded, comparison, explored_groups, table_choice.epsilon
            )
    except DpldaError as error:
        st.info(literal(str(error)))
        return
    if shares_by_group is not None:
        name_by_number = topics_view.names_by_number(loaded, comparison)
        _draw_shares(loaded, shares_by_group, explored_groups, name_by_number, finding_place)


def _draw_shares(
    loaded: LoadedExperiment,
    shares_by_group: ShareComparison,
    explored_groups: ExploredGroups,
    name_by_number: Mapping[int, str],
    finding_place: DeltaGenerator,
) -> None:
    """Draw the surest difference in its place, a figure for each topic, and texts below.

    The texts are a caption, what the table costs, and how far it errs where the truth is known.
    """
    finding_sentence = literal(_finding(shares_by_group, explored_groups, name_by_number))
    finding_place.markdown(f"**{finding_sentence}**", help=glossary.describe_terms(*TERMS.split()))
    text_place = _draw_figures(loaded, shares_by_group, explored_groups, name_by_number)
    with text_place:
        st.caption(_caption(shares_by_group, explored_groups), help=CAPTION_HELP)
        st.markdown(f"{_price(shares_by_group.private)} {_errors(shares_by_group)}")


def _has_groups(loaded: LoadedExperiment) -> bool:
    """Whether the documents have groups that may be shown.

    If not, draws why: they are sensitive, joined by person, or have no columns; for the last, a
    button simulates documents.
    """
    if loaded.is_sensitive:
        st.info(SENSITIVE, icon=":material/visibility_lock:")
        return False
    if loaded.corpus.of_persons:
        st.info(OF_PERSONS, icon=":material/person:")
        return False
    if loaded.corpus.columns_to_group_by:
        return True
    st.info(NO_COLUMNS, icon=":material/groups:")
    st.button(
        "Use simulated documents",
        key=Key.GROUPS_SIMULATE,
        on_click=session.simulate,
        args=(link.TEACHING,),
    )
    return False


def _choose_table(columns: Sequence[str], default_epsilon: float) -> SharesChoice:
    """Draw the choice of a column and of the table's ε, and return both.

    A column in the session that is not offered is replaced by the first one, and an ε that is not
    offered by the default.
    """
    session_state = st.session_state
    if session_state.get(Key.GROUPS_BY) not in columns:
        session_state[Key.GROUPS_BY] = columns[0]
    if session_state.get(Key.GROUPS_EPSILON) not in link.TABLE_EPSILONS:
        session_state[Key.GROUPS_EPSILON] = default_epsilon
    with st.container(horizontal=True, vertical_alignment="bottom"):
        column_name = st.segmented_control(
            "By",
            columns,
            required=True,
            key=Key.GROUPS_BY,
            format_func=literal,
            persist_state="session",
            label_visibility="collapsed",
            width="content",
        )
        table_epsilon = st.select_slider(
            "ε of the table",
            link.TABLE_EPSILONS,
            format_func=link.epsilon_text,
            key=Key.GROUPS_EPSILON,
            persist_state="session",
            help=glossary.with_terms(TABLE_HELP, "sensitivity"),
            width=SLIDER_WIDTH,
        )
    return SharesChoice(column=str(column_name), epsilon=float(table_epsilon))


def _finding(
    shares_by_group: ShareComparison,
    explored_groups: ExploredGroups,
    name_by_number: Mapping[int, str],
) -> str:
    """Describe the largest change over time, or difference between groups, that noise lets state.

    A change if the groups are times. The sentence says so if none exceeds the noise.
    """
    names_in_order = [name_by_number[number] for number in shares_by_group.numbers]
    if explored_groups.is_time:
        return describe_surest_change(
            shares_by_group.private, explored_groups.groups, names_in_order
        )
    return describe_surest_difference(shares_by_group.private, names_in_order)


def _price(shares: TopicShares) -> str:
    """Say to what ε the table raises that of the topics, and by how many percent.

    If both do not add up as one Gaussian mechanism, says only what ε the table uses.
    """
    table_epsilon = shares.guarantee.claimed_epsilon
    topics_guarantee = shares.topics_guarantee
    epsilon_together = shares.epsilon_with_topics
    if topics_guarantee is None or epsilon_together is None:
        return f"**The table uses ε = {table_epsilon:g}**, in addition to the topics."
    increase = epsilon_together / topics_guarantee.claimed_epsilon - 1
    percent_more = f"under {LEAST_MORE:.1%}"
    if increase >= LEAST_MORE:
        percent_more = f"{format_rounded_up(100 * increase, 2)}%"
    return (
        f"**With the table, ε rises from {topics_guarantee.claimed_epsilon:g} to"
        f" {format_rounded_up(epsilon_together, 4)}** ({percent_more} more)."
    )


def _errors(shares_by_group: ShareComparison) -> str:
    """The error of the shares, with and without correcting for noise, as a sentence.

    Errors are means in percentage points. Empty where the true shares are unknown.
    """
    errors = shares_by_group.mean_errors
    if errors is None:
        return ""
    raw, modeled = errors
    return (
        f"Shares are off by {100 * modeled:.2g} percentage points on average"
        f" ({100 * raw:.2g} without correcting for noise)."
    )


def _draw_figures(
    loaded: LoadedExperiment,
    shares_by_group: ShareComparison,
    explored_groups: ExploredGroups,
    name_by_number: Mapping[int, str],
) -> DeltaGenerator:
    """Draw a figure for each of the first ``MAX_TOPICS`` topics.

    There are three in a row if none is left over, else two.

    Returns:
        The place for texts: beside the last figure if that is alone in its row, else below.
    """
    topic_figures = share_comparison.topic_figures(
        shares_by_group,
        explored_groups,
        name_by_number,
        watermark=loaded.watermark,
        n_shown=MAX_TOPICS,
    )
    n_in_row = 2 if len(topic_figures) % 3 else 3
    if n_in_row == 3:
        topic_figures = [replace(figure, title_letters=NARROW_TITLE) for figure in topic_figures]
    for n_above in range(0, len(topic_figures), n_in_row):
        figures_in_row = topic_figures[n_above : n_above + n_in_row]
        # Plots stand side by side below titles of one line and of two.
        layout_columns = st.columns(n_in_row, gap="medium", vertical_alignment="bottom")
        text_place = layout_columns[-1]
        for figure_index, (layout_column, figure) in enumerate(
            zip(layout_columns, figures_in_row, strict=False), n_above
        ):
            with layout_column:
                figure_view.draw(
                    figure,
                    f"groups.shares.{figure_index}",
                    smallest_letters=theme.ROOM_LETTERS,
                )
    is_last_row_full = len(topic_figures) % n_in_row == 0
    return st.container() if is_last_row_full else text_place.container()


def _caption(shares_by_group: ShareComparison, explored_groups: ExploredGroups) -> str:
    """Write the caption: what each mark that is drawn means, and where shares are vague.

    It says what is not drawn: rarer groups, and topics beyond the first ``MAX_TOPICS``.
    """
    caption = LINES_CAPTION if explored_groups.is_time else DOTS_CAPTION
    if shares_by_group.noiseless is not None:
        caption += " Orange tick: without noise."
    if shares_by_group.truth is not None:
        caption += " Diamond: the truth."
    if shares_by_group.private.is_vague[:-1].any():
        caption += VAGUE_TIME_CAPTION if explored_groups.is_time else VAGUE_CAPTION
    if explored_groups.n_unlisted:
        caption += f" Not shown: {explored_groups.n_unlisted:,} rarer groups."
    n_topics = len(shares_by_group.numbers)
    if n_topics > MAX_TOPICS:
        caption += f" The first {MAX_TOPICS} of {n_topics} topics are shown."
    return caption
