"""The report page: the verdict, the guarantee, topics, shares, and the method.

This module gathers values; ``page.html.jinja`` places them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dplda.core.errors import InputError
from dplda.evaluation.evidence import HOW_MEASURED
from dplda.figures.bar_axis import CUT_MARK
from dplda.privacy.accounting.odds import format_odds
from dplda.privacy.release import Guarantee, Status
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import parent_of
from dplda.release.pictures.dial import risk_dial
from dplda.release.pictures.standing import stand_among_deployments
from dplda.release.report.markup import TEMPLATES, Markup
from dplda.release.report.released import ReportContents, contents_of_release
from dplda.release.report.share_chart import render_share_chart, share_chart
from dplda.release.report.texts import (
    describe_guarantee,
    describe_left_out,
    describe_parameters,
    describe_protected,
    describe_request,
    describe_warning,
    limits_of,
    rows_of_epsilons,
    rows_of_facts,
    rows_of_noise,
    rows_of_table_noise,
)
from dplda.release.report.topic_cards import describe_shared_words, topic_cards
from dplda.release.report.topic_map import draw_topic_map
from dplda.release.shares.shares_file import ReleasedShares
from dplda.release.shares.together import PLANNED_TOGETHER, guarantee_together
from dplda.release.verdict.outcome import judge_release

POSSIBLE_TOPICS = (
    "Beside a word is its probability in the topic. 20/20 means: the noise leaves twenty topics"
    " possible, and the word is among the first ten words of all of them. Paler bars: of fewer."
)
OPACITY = 0.42  # of colors behind words, so that ink keeps its contrast


@dataclass(frozen=True, slots=True)
class ShareSection:
    """A table of shares on the page.

    Attributes:
        title: of the section.
        picture: the chart, HTML.
        table: the released table.
    """

    title: str
    picture: Markup
    table: ReleasedShares


def share_section(table: ReleasedShares, topics: Artefact) -> ShareSection:
    """The section of a released table.

    Args:
        table: the released table.
        topics: the release that it was made with.

    Raises:
        InputError: it was made with the topics of another release.
    """
    if table.parent_sha256 != parent_of(topics).sha256:
        raise InputError("the table of shares", "of these topics", "of another release")
    chart = share_chart(table, topics)
    key = table.receipt_number[:12]
    title = f"Who talks about it? {chart.title}"
    return ShareSection(title, render_share_chart(chart, key), table)


def render_release(artefact: Artefact, tables: Sequence[ReleasedShares] = ()) -> str:
    """Render a released file and its tables of shares as one HTML page.

    The guarantee beside the title is that of everything on the page.

    Args:
        artefact: the released file.
        tables: tables of shares of its topics.

    Raises:
        InputError: a table was made with the topics of another release.
    """
    sections = [share_section(table, artefact) for table in tables]
    contents = contents_of_release(artefact)
    return render_report(contents, sections, together=guarantee_together(artefact, tables))


def render_report(
    run: ReportContents,
    shares: Sequence[ShareSection] = (),
    together: Guarantee | None = None,
) -> str:
    """Render a run as one HTML page; the same run gives the same bytes.

    Topics without evidence get a sentence instead of a card. There is a map if two cards or more
    are shown, and a dial of the risk if the guarantee is proven. The verdict is on the topics
    before their owner arranged them.

    Args:
        run: contents of the report.
        shares: tables of shares by group or over time; empty for none.
        together: guarantee of the topics and these tables together, which the page states instead
            of that of the topics; None without tables.
    """
    guarantee = together or run.guarantee
    released_contents = run.as_released or run
    cards = topic_cards(run)
    bars = [bar for card in cards for bar in card.words]
    return TEMPLATES.get_template("page.html.jinja").render(
        run=run,
        unit=guarantee.adjacency.unit,
        opacity=OPACITY,
        shade=f"{round(255 * OPACITY):02x}",
        title=f"Topics of {run.documents}",
        request=describe_request(run),
        warning=describe_warning(guarantee),
        verdict=judge_release(released_contents),
        how_measured="" if run.evidence is None else HOW_MEASURED,
        arrangement=run.arrangement,
        shared_words=describe_shared_words(run) if cards else "",
        topics=cards,
        has_public_words=any(bar.is_public for bar in bars),
        cut_mark=CUT_MARK,
        has_cut_bars=any(bar.is_cut for bar in bars),
        possible_topics="" if run.lower is None or run.upper is None else POSSIBLE_TOPICS,
        left_out=describe_left_out(n_hidden=len(run.topics) - len(cards), n_shown=len(cards)),
        share_tables=shares,
        map=draw_topic_map(run, cards) if len(cards) > 1 else None,
        dial=risk_dial(guarantee.claimed_risk) if guarantee.status is Status.PROVEN else None,
        promise=describe_guarantee(guarantee),
        in_brackets=describe_parameters(guarantee),
        has_tables=bool(shares),
        planned_together=PLANNED_TOGETHER if shares else "",
        guarantee_text=guarantee.in_words(),
        rests_on=guarantee.rests_on,
        protected=describe_protected(guarantee),
        standing=stand_among_deployments(guarantee),
        delta=_describe_delta(guarantee),
        epsilons=list(rows_of_epsilons(guarantee)),
        limits=limits_of(run),
        facts=rows_of_facts(run),
        noisy_values=[
            *rows_of_noise(run.noisy_values),
            *rows_of_table_noise([section.table for section in shares]),
        ],
    )


def _describe_delta(guarantee: Guarantee) -> str:
    """Odds of δ; empty for a mechanism that is not private."""
    if guarantee.mechanism is Status.NOT_PRIVATE:
        return ""
    return format_odds(guarantee.claimed_delta)
