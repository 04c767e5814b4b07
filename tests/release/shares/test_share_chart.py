"""The chart of a table of shares: every group and draw, merged topics, and no script."""

import re
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
import yaml

from dplda.core.errors import InputError
from dplda.evaluation.evidence import ReleasedEvidence
from dplda.methods.shares.group_selection import plan_group_selection
from dplda.methods.shares.groups import GroupAxis, Groups, Period
from dplda.release.artefact.released_file import parent_of
from dplda.release.publication.officer import render_officer_page
from dplda.release.publication.record import render_record
from dplda.release.report.page import render_release, render_report, share_section
from dplda.release.report.released import contents_of_release
from dplda.release.report.share_chart import N_DRAWS_SHOWN, share_chart
from dplda.release.report.texts import rows_of_noise, rows_of_table_noise
from dplda.release.reuse.exports import topic_names
from dplda.release.shares.shares_file import AxisKind, AxisSource, ReleasedShares
from dplda.release.shares.shown_topics import NO_TOPIC_SHOWN
from dplda.release.shares.together import guarantee_together

DISTRICTS = GroupAxis(("north", "south <b>"))
YEARS = GroupAxis.of_dates(date(2001, 1, 1), date(2004, 1, 1), Period.YEAR)


def table_of(topics, axes, *, noise_std: float = 5.0, sizes: float = 1_000.0) -> ReleasedShares:
    groups = Groups(tuple(axes))
    generator = np.random.default_rng(0)
    shares = generator.dirichlet(np.ones(len(topics.topics)), groups.n_rows)
    kinds = [AxisKind.YEAR if axis.is_ordered else AxisKind.GROUP for axis in axes]
    return ReleasedShares(
        documents="letters",
        n_units=2_000,
        unit="document",
        parent_receipt=topics.receipt_number,
        parent_sha256=parent_of(topics).sha256,
        groups=groups,
        sources=tuple(AxisSource("part", kind) for kind in kinds),
        noisy_table=sizes * shares + generator.normal(0, noise_std, shares.shape),
        noise_std=noise_std,
        epsilon=0.3,
        delta=1e-7,
        caveats=(),
        receipt_number="0123456789abcdef0123456789abcdef",
        released_at="2026-01-01T00:00:00+00:00",
        versions={},
    )


@pytest.fixture
def page(parent) -> str:
    section = share_section(table_of(parent, [DISTRICTS]), parent)
    return render_report(contents_of_release(parent), [section])


def test_share_chart_has_a_point_for_each_group_of_a_topic(parent) -> None:
    chart = share_chart(table_of(parent, [DISTRICTS]), parent)
    assert len(chart.panels) == len(parent.supported_topics)
    for panel in chart.panels:
        assert [point.group for point in panel.points] == list(DISTRICTS.labels)
        assert len(panel.draws) == N_DRAWS_SHOWN


def test_share_chart_over_time_has_a_panel_for_each_pair(parent) -> None:
    chart = share_chart(table_of(parent, [DISTRICTS, YEARS]), parent)
    assert len(chart.panels) == 2 * len(parent.supported_topics)
    assert chart.panels[0].ends == ("2001", "2004")
    assert "from 2001 to 2004 in" in chart.sentence


def test_chart_of_groups_over_time_compares_them_at_the_last_time(parent) -> None:
    chart = share_chart(table_of(parent, [DISTRICTS, YEARS]), parent)
    assert re.search(r"than in (north|south <b>) · 2004 in", chart.sentence)


@pytest.mark.parametrize(
    ("axes", "sentence"),
    [
        ([DISTRICTS], r"More in .* than in .* in \d\d of 100\."),
        ([YEARS], r"(Grew|Shrank) in \d\d of 100\."),
    ],
)
def test_share_chart_panels_state_how_often_draws_agree(parent, axes, sentence: str) -> None:
    """The question may be on any topic, not on the one that differs most."""
    chart = share_chart(table_of(parent, axes), parent)
    assert all(re.fullmatch(sentence, panel.sentence) for panel in chart.panels)


def test_chart_of_noise_alone_says_so(parent) -> None:
    chart = share_chart(table_of(parent, [DISTRICTS], noise_std=5_000.0), parent)
    assert all(panel.sentence == "No clear difference." for panel in chart.panels)
    assert chart.sentence == "No theme's shares differ between groups by more than the noise."
    assert all(point.is_vague for panel in chart.panels for point in panel.points)


def test_topics_without_evidence_are_in_no_panel(parent) -> None:
    parts = np.array([0.9, 0.0, 0.9])
    evidence = ReleasedEvidence(2.0, 0.1, 50.0, 0.1, parts, 0.05)
    weak = replace(parent, evidence=evidence)
    chart = share_chart(table_of(parent, [DISTRICTS]), weak)
    assert len(chart.panels) == len(weak.supported_topics) == 2


def test_share_chart_of_merged_topics_adds_them_up(parent) -> None:
    table = table_of(parent, [DISTRICTS])
    shares_by_group = table.topic_shares().shares
    arranged = replace(parent, groups=((0, 1),))
    chart = share_chart(table, arranged)
    assert len(chart.panels) == 1
    expected = shares_by_group[0, 0] + shares_by_group[0, 1]
    assert chart.panels[0].points[0].in_words.startswith(f"{expected:.0%}")


def test_report_with_shares_makes_no_request(page: str) -> None:
    assert "<script" not in page
    assert "://" not in page
    assert "Who talks about it? By part" in page


def test_names_of_groups_are_text(page: str) -> None:
    assert "south <b>" not in page
    assert "south &lt;b&gt;" in page


def test_page_can_be_read_without_color(page: str) -> None:
    """Every share stands in a table of numbers, with its range."""
    rows = re.findall(r"<tr><th scope=\"row\">north</th>(.*?)</tr>", page)
    assert rows
    assert re.search(r"\d+% \(\d+–\d+\)", rows[0])


def test_page_steps_through_tables_unless_motion_is_reduced(page: str) -> None:
    assert "@media (prefers-reduced-motion: reduce)" in page
    assert page.count("animation: shares-step") == N_DRAWS_SHOWN


def test_share_section_of_a_table_of_other_topics_is_refused(parent) -> None:
    table = replace(table_of(parent, [DISTRICTS]), parent_sha256="0" * 64)
    with pytest.raises(InputError, match="of another release"):
        share_section(table, parent)


def test_chart_of_many_groups_works_out_intervals_once(parent, monkeypatch) -> None:
    calls = []
    quantile = np.quantile
    monkeypatch.setattr(
        np,
        "quantile",
        lambda *arguments, **options: calls.append(1) or quantile(*arguments, **options),
    )
    many_groups = GroupAxis(tuple(f"group {number}" for number in range(200)))
    share_chart(table_of(parent, [many_groups]), parent)
    assert len(calls) <= 2


def test_chart_of_topics_without_evidence_names_none(parent) -> None:
    parts = np.zeros(len(parent.topics))
    without_evidence = replace(parent, evidence=ReleasedEvidence(0.0, 1.0, 50.0, 0.1, parts, 0.05))
    table = table_of(without_evidence, [DISTRICTS])
    chart = share_chart(table, without_evidence)
    assert chart.sentence == NO_TOPIC_SHOWN
    assert not chart.panels
    page = render_report(
        contents_of_release(without_evidence), [share_section(table, without_evidence)]
    )
    assert not any(name in page for name in topic_names(parent))


def test_chart_leaves_out_a_topic_that_its_owner_arranged_without_evidence(parent) -> None:
    parts = np.array([0.9, 0.0, 0.9])
    weak = replace(parent, evidence=ReleasedEvidence(2.0, 0.1, 50.0, 0.1, parts, 0.05))
    arranged = replace(weak, groups=((1,), (2,)))
    chart = share_chart(table_of(parent, [DISTRICTS]), arranged)
    assert [panel.title for panel in chart.panels] == [topic_names(weak)[2]]


def test_report_lists_the_noise_of_its_tables(page: str) -> None:
    assert "topic shares by “part”" in page


def test_report_with_tables_says_that_their_groups_are_public(parent) -> None:
    """The guarantee of all rests on the list of groups, and on no ε beside it."""
    table = table_of(parent, [DISTRICTS])
    record = yaml.safe_load(render_record(parent, [table]))["deployment"]
    tuning = record["implementation"]["preprocessing_and_hyperparameter_tuning"]
    for text in (render_release(parent, [table]), render_officer_page(parent, [table]), tuning):
        assert "The list of groups was chosen without looking at the documents" in text
        assert "their own ε is not part of this one" not in text
    assert "lists of groups" in record["dp_variant"]["unprotected_quantities"]
    assert "lists of groups" not in render_record(parent)


def test_report_rounds_what_a_document_moves_up_with_its_noise_down(parent) -> None:
    """√2 stood as 1.41, of which a document was said to move a table at most."""
    table = table_of(parent, [DISTRICTS], noise_std=12.3456)
    (row,) = rows_of_table_noise([table])
    assert row[2:] == ("1.42", "12.3")
    first_value = replace(parent.noisy_values[0], sensitivity=1.2341, scale=45.678)
    (row,) = rows_of_noise([first_value])
    assert row[2:] == ("1.24", "45.6")


def test_report_counts_groups_chosen_by_size_without_their_times(parent) -> None:
    table = table_of(parent, [replace(DISTRICTS, is_selected=True), YEARS])
    chosen_table = replace(table, selection=plan_group_selection(2, epsilon=0.3, delta=1e-7))
    *rounds, _ = rows_of_table_noise([chosen_table])
    assert [row[1] for row in rounds] == ["2", "2"]


def test_report_with_tables_states_one_guarantee(parent) -> None:
    table = table_of(parent, [DISTRICTS])
    guarantee = guarantee_together(parent, [table])
    page = render_release(parent, [table])
    assert guarantee.in_words() in page
    assert parent.guarantee.in_words() not in page
