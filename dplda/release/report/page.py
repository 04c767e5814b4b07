"""The report page: topics, their reliability, the guarantee, and the method.

This module gathers values; ``page.html.jinja`` places them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from dplda.core.errors import InputError
from dplda.figures.bar_axis import CUT_MARK
from dplda.privacy.accounting.odds import format_odds
from dplda.privacy.release import Guarantee, Status
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import parent_of
from dplda.release.report.markup import TEMPLATES
from dplda.release.report.released import ReportContents
from dplda.release.report.share_chart import render_share_chart, share_chart
from dplda.release.report.texts import (
    describe_findings,
    describe_guarantee,
    describe_unsupported,
    describe_warning,
    limits_of,
    rows_of_epsilons,
    rows_of_facts,
    rows_of_noise,
)
from dplda.release.report.topic_cards import topic_cards
from dplda.release.report.topic_map import draw_topic_map
from dplda.release.shares.shares_file import ReleasedShares

OPACITY = 0.42  # of colors behind words, so that ink keeps its contrast


@dataclass(frozen=True, slots=True)
class ShareSection:
    """A table of shares on the page.

    Attributes:
        title: of the section.
        picture: the chart, HTML.
    """

    title: str
    picture: Markup


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
    return ShareSection(f"Who talks about it? {chart.title}", render_share_chart(chart, key))


def render_report(run: ReportContents, shares: Sequence[ShareSection] = ()) -> str:
    """Render a run as one HTML page; the same run gives the same bytes.

    Topics without evidence get a sentence instead of a card. There is a map if two cards or more
    are shown.

    Args:
        run: contents of the report.
        shares: tables of shares by group or over time; empty for none.
    """
    guarantee = run.guarantee
    released_contents = run.as_released or run
    cards = topic_cards(run)
    bars = [bar for card in cards for bar in card.words]
    return TEMPLATES.get_template("page.html.jinja").render(
        run=run,
        unit=guarantee.adjacency.unit,
        opacity=OPACITY,
        shade=f"{round(255 * OPACITY):02x}",
        title=f"Topics of {run.documents}",
        documents=_describe_documents(run),
        purpose_of_noise=_describe_purpose(guarantee),
        warning=describe_warning(guarantee),
        findings=f"{describe_findings(released_contents)} {run.arrangement}".strip(),
        topics=cards,
        has_public_words=any(bar.is_public for bar in bars),
        cut_mark=CUT_MARK,
        has_cut_bars=any(bar.is_cut for bar in bars),
        unsupported=describe_unsupported(
            n_hidden=len(run.topics) - len(cards),
            n_missing=run.n_topics - len(released_contents.topics),
        ),
        share_tables=shares,
        map=draw_topic_map(run, cards) if len(cards) > 1 else None,
        promise=describe_guarantee(guarantee),
        delta=_describe_delta(guarantee),
        epsilons=list(rows_of_epsilons(guarantee)),
        limits=limits_of(run),
        facts=rows_of_facts(run),
        noisy_values=list(rows_of_noise(run.noisy_values)),
    )


def _describe_documents(run: ReportContents) -> str:
    """The documents and how many they are, as part of a sentence; or persons if they count."""
    number_text = "" if run.n_documents is None else f"{run.n_documents:,} "
    if run.guarantee.adjacency.unit == "person":
        return f"the documents of {number_text}persons"
    return f"{number_text}documents"


def _describe_purpose(guarantee: Guarantee) -> str:
    if guarantee.status is Status.PROVEN:
        return "to limit what can be learned about any single one."
    return "to hide every single one. The section on the guarantee says how well."


def _describe_delta(guarantee: Guarantee) -> str:
    """Odds of δ; empty for a mechanism that is not private."""
    if guarantee.mechanism is Status.NOT_PRIVATE:
        return ""
    return format_odds(guarantee.claimed_delta)
