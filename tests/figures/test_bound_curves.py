import math

import pytest

from dplda import figures
from dplda.figures.errors.bound_curves import rounded_up
from dplda.theory.theorems.by_documents import BoundByDocuments
from dplda.theory.theorems.readings import TRIVIAL
from tests.figures.checked import checked

DOCUMENTS = (1e3, 1e4, 1e5, 1e6, 1e7)


def by_documents(
    configuration: str, bound_here: float, enough: int | None, first_total: float = 900.0
) -> BoundByDocuments:
    totals = (first_total, 90.0, 9.0, 0.9, 0.09)
    return BoundByDocuments(configuration, DOCUMENTS, totals, bound_here, enough)


ONE = by_documents("config-1", 90.0, 640_000)
TWO = by_documents("config-2", 9.0, 123_456, first_total=math.inf)
NEVER = BoundByDocuments("config-3", DOCUMENTS, (math.inf,) * 5, math.inf, None)


def title_of(
    *curves: BoundByDocuments, chosen_configuration: str = "", n_documents: int = 10_000
) -> str:
    return figures.bounds_against_documents(
        curves, n_documents=n_documents, chosen=chosen_configuration
    ).title


def test_bounds_against_documents_are_drawn_beside_the_trivial_line() -> None:
    figure = checked(figures.bounds_against_documents([ONE, TWO], n_documents=10_000))
    lines = {trace.name: trace.y for trace in figure.data if trace.mode == "lines"}
    assert lines["Config. 1, as published"] == (900.0, 90.0, 9.0, 0.9, 0.09)
    assert lines["Config. 2, as published"] == (None, 90.0, 9.0, 0.9, 0.09), "a gap where infinite"
    marks = {trace.name: trace.y for trace in figure.data if trace.mode == "markers"}
    assert marks == {"Config. 1, as published": (90.0,), "Config. 2, as published": (9.0,)}
    assert {trace.line.dash for trace in figure.data if trace.mode == "lines"} == {"7px,4px"}
    assert any(shape.y0 == TRIVIAL for shape in figure.layout.shapes)
    assert any(shape.x0 == 10_000 for shape in figure.layout.shapes)


def test_bounds_against_documents_names_where_each_line_begins_to_say_something() -> None:
    figure = checked(figures.bounds_against_documents([ONE, TWO, NEVER], n_documents=10_000))
    beginnings = {
        note.text: note.x for note in figure.layout.annotations if note.name == "beginning"
    }
    assert beginnings == {
        "Config. 2: N ≈ 130,000": pytest.approx(math.log10(123_456)),
        "Config. 1: N ≈ 640,000": pytest.approx(math.log10(640_000)),
    }
    assert figure.layout.showlegend, "a line without a beginning is named in the legend"


@pytest.mark.parametrize(
    ("curves", "chosen_configuration", "title"),
    [
        ((ONE, TWO), "config-1", "Theorem 10 helps from N ≈ 640,000 on"),
        ((ONE, TWO), "", "Theorem 11 helps from N ≈ 130,000 on"),
        ((ONE, NEVER), "config-3", "Theorem 10 helps from N ≈ 640,000 on"),
        ((NEVER,), "config-3", "No theorem helps at any number of documents"),
        (
            (by_documents("config-1", 0.9, 5_000), TWO),
            "config-2",
            "Only Theorem 10 helps at N = 10,000",
        ),
        ((by_documents("config-1", 0.9, 5_000),), "", "Every theorem helps at N = 10,000"),
    ],
)
def test_bounds_against_documents_says_in_its_title_from_where_on_a_theorem_helps(
    curves, chosen_configuration, title
) -> None:
    assert title_of(*curves, chosen_configuration=chosen_configuration) == title


def test_bounds_against_documents_of_a_sensitive_corpus_has_its_watermark() -> None:
    figure = checked(
        figures.bounds_against_documents([ONE], n_documents=10_000, watermark="Curator")
    )
    assert any(note.text == "Curator" for note in figure.layout.annotations)


@pytest.mark.parametrize(
    ("number", "text"),
    [(7, "7"), (123, "130"), (1_200_001, "1,300,000"), (2_410_000_000_000, "2.5e12")],
)
def test_number_of_documents_is_rounded_up_to_two_digits(number, text) -> None:
    assert rounded_up(number) == text


def test_bounds_that_begin_at_one_number_of_documents_have_a_label_each() -> None:
    curves = [ONE, by_documents("config-2", 9.0, 640_000)]
    figure = checked(figures.bounds_against_documents(curves, n_documents=10_000))
    labels = [note for note in figure.layout.annotations if note.x == math.log10(640_000)]
    assert len({label.ay for label in labels}) == 2
