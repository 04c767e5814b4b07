"""Numbers on the flow graph: those of the noise table, drawn as thickness, colour and words, and none beyond it."""

import math
from dataclasses import replace

import pytest

from dplda import figures
from dplda.figures.flows import edge_numbers
from dplda.figures.flows.edge_marks import COLOURS, THICK, THIN
from dplda.figures.flows.edge_numbers import (
    CLEAR_FROM,
    EdgeNumbers,
    Standing,
    compare_with_noise,
    of_table,
)
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.chain.noise_table import EdgeNoise, edge_noise
from dplda.methods.configurations.plan import Plan
from dplda.methods.configurations.verdict import EdgeVerdict, judge_edges, judge_without_edge
from dplda.methods.dpvi.variational_methods import forecast_minibatches
from dplda.methods.refined.plan.noise_forecast import forecast_releases
from dplda.methods.refined.plan.quantities import REFINED
from dplda.methods.registry import parse_method
from dplda.privacy.release import Status
from tests.figures.checked import checked
from tests.theory.theorems.spectra import spectrum

ADAPTIVE = judge_edges(["e2", "e6"], REGISTRY)
SHAPE = {"n_documents": 5000, "n_words": 40, "n_topics": 3, "alpha0": 1.0}


def table(name: str = "adaptive", epsilon: float = 3.0) -> tuple[EdgeNoise, ...]:
    return edge_noise(Plan(name, epsilon), **SHAPE, spectrum=spectrum())


def drawn(verdict: EdgeVerdict, numbers, edge: str):
    """An edge's line, its marker's colour, what stands beside it, and what hovering says."""
    figure = checked(figures.flow_graph(verdict, numbers))
    i = verdict.flow.edges.index(edge)
    line = [trace for trace in figure.data if trace.mode == "lines"][i].line
    markers = figure.data[-1]
    notes = {
        (note.x, note.y): note.text for note in figure.layout.annotations if note.name == "said"
    }
    hover = markers.hovertext[i].replace("<br>", " ")
    return line, markers.marker.color[i], notes.get((markers.x[i], markers.y[i]), ""), hover


def test_edge_label_shows_the_quantity_that_suffers_most() -> None:
    rows = [row for row in table() if row.edge == "e2"]
    worst = min(rows, key=lambda row: row.signal_to_noise)
    (numbers_of_edge, _) = of_table(table())
    assert numbers_of_edge.share == pytest.approx(sum(row.share for row in rows))
    assert numbers_of_edge.label_lines[1].startswith(f"{worst.symbol} ± ")
    assert float(numbers_of_edge.label_lines[1].split("± ")[1]) == pytest.approx(
        worst.scale, rel=0.05
    )
    ratio = float(numbers_of_edge.label_lines[2].removeprefix("S/N ").replace(",", ""))
    assert ratio == pytest.approx(worst.signal_to_noise, rel=0.05)


def test_edge_hover_lists_every_quantity() -> None:
    rows = [row for row in table() if row.edge == "e2"]
    (numbers_of_edge, _) = of_table(table())
    assert [row.split(" ·")[0] for row in numbers_of_edge.sentences] == [row.symbol for row in rows]
    hover, alt = (
        drawn(ADAPTIVE, of_table(table()), "e2")[3],
        figures.flow_graph(ADAPTIVE, of_table(table())).alt,
    )
    for row in numbers_of_edge.sentences:
        assert row in hover
        assert row in alt


def test_edge_width_grows_linearly_with_its_budget_share() -> None:
    def width(share: float) -> float:
        return drawn(ADAPTIVE, [EdgeNumbers("e2", share, Standing.CLEAR, (), ())], "e2")[0].width

    assert (width(0.0), width(1.0)) == (THIN, THICK)
    assert width(0.6) - width(0.5) == pytest.approx(width(0.3) - width(0.2))
    assert width(0.6) > width(0.5)
    plain = drawn(ADAPTIVE, (), "e3")[0]
    assert drawn(ADAPTIVE, [EdgeNumbers("e3", 1.0, Standing.CLEAR, ("9%",), ())], "e3")[0] == plain


def test_edge_standing_has_a_color_with_a_name_of_its_own() -> None:
    for standing in Standing:
        numbers = [EdgeNumbers("e2", 0.5, standing, ("50%",), ("said",))]
        line, fill, note, _ = drawn(ADAPTIVE, numbers, "e2")
        assert line.color == fill == COLOURS[standing]
        assert note == "<b>noise</b> 50%"
        named_traces = [
            trace.name
            for trace in checked(figures.flow_graph(ADAPTIVE, numbers)).data
            if trace.showlegend
        ]
        assert named_traces == [standing] * (
            standing is not Standing.AFTER_RUN
        )  # else there is nothing to compare
    assert len(set(COLOURS.values())) == len(Standing)


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (CLEAR_FROM, Standing.CLEAR),
        (4.99, Standing.ABOVE),
        (1.0, Standing.ABOVE),
        (0.999, Standing.BELOW),
    ],
)
def test_words_follow_the_ratio(ratio, words) -> None:
    row = replace(table()[0], signal=ratio, noise=1.0)
    assert compare_with_noise(row) is words
    assert compare_with_noise(replace(row, signal=math.nan)) is Standing.AFTER_RUN


def test_noise_without_end_is_said() -> None:
    row = replace(
        table()[1], trouble="No finite noise protects this.", noise=math.inf, scale=math.inf
    )
    rows = [row if table_row.name == row.name else table_row for table_row in table()]
    numbers_of_edge = of_table(rows)[0]
    assert numbers_of_edge.standing is Standing.NO_FINITE
    assert numbers_of_edge.label_lines[1:] == (f"{row.symbol} ± ∞", "S/N 0")
    assert "No finite noise protects this." in drawn(ADAPTIVE, of_table(rows), "e2")[3]


def test_edge_numbers_before_a_run_are_ranges_without_signal() -> None:
    rows = forecast_releases(Problem(3, 1.0), Budget(3.0, 1e-7), 5000, 40)
    verdict = judge_without_edge(REFINED, None, Status.PROVEN)
    numbers = {range_of_edge.edge: range_of_edge for range_of_edge in edge_numbers.of_planned(rows)}
    assert set(numbers) == set(REFINED.noised)
    for edge, range_of_edge in numbers.items():
        share_ends = [end for row in rows if row.edge == edge for end in row.share]
        assert min(share_ends) <= range_of_edge.share <= max(share_ends)
        assert range_of_edge.standing is Standing.AFTER_RUN
        assert not any("S/N" in line for line in range_of_edge.label_lines)
    assert not any("±" in line for edge in ("e2", "e6") for line in numbers[edge].label_lines)
    scales = [
        end
        for row in rows
        if row.edge == "steps"
        for share_ends in row.scales
        for end in share_ends
    ]
    shown_scales = [
        float(end) for end in numbers["steps"].label_lines[1].removeprefix("± ").split("–")
    ]
    assert shown_scales == pytest.approx([min(scales), max(scales)], rel=0.05)
    assert drawn(verdict, edge_numbers.of_planned(rows), "steps")[2].endswith("14 times")


def test_word_counts_that_may_be_released_again_take_both_shares() -> None:
    rows = forecast_releases(Problem(3, 1.0), Budget(0.1, 1e-7), 4000, 100, tests_prior=True)
    first_share, repeated_share = (row.share[0] for row in rows if row.edge == "words")
    (numbers_of_words,) = (
        numbers_of_edge
        for numbers_of_edge in edge_numbers.of_planned(rows)
        if numbers_of_edge.edge == "words"
    )
    assert numbers_of_words.share == pytest.approx(
        (first_share + (first_share + repeated_share)) / 2
    )
    assert (
        numbers_of_words.label_lines[0]
        == f"{100 * first_share:.2g}–{100 * (first_share + repeated_share):.2g} %"
    )


@pytest.mark.parametrize(("n_documents", "is_said"), [(10**6, False), (300, True)])
def test_edge_of_minibatches_names_those_that_count_words(n_documents: int, is_said: bool) -> None:
    method = parse_method("dp-vi")
    noise = forecast_minibatches(method, Budget(1.0, 1e-7), n_documents, 60)
    (numbers_of_edge,) = edge_numbers.of_minibatches(method.flow.noised[0], noise)
    assert (noise.word_steps > 0) == is_said
    later = noise.schedule.steps - noise.word_steps
    times = [noise.word_steps, later][-len(numbers_of_edge.sentences) :]
    assert all(
        f"minibatch, {steps} times" in row
        for row, steps in zip(numbers_of_edge.sentences, times, strict=True)
    )
    assert (
        len(numbers_of_edge.label_lines[1].split("–"))
        == len(numbers_of_edge.sentences)
        == 1 + is_said
    )
