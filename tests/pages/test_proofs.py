from itertools import pairwise

import pytest

from dplda.theory.gaps.card_numbers import NUMBERS
from dplda.ui.learn.proofs_view import cards
from dplda.ui.state.keys import Key
from tests.pages.conftest import written


def test_proofs_page_draws_a_picture_for_each_gap(open_page, figure) -> None:
    app, figures_by_name, text_shown = open_page("proofs", {"gap": "order"}), {}, ""
    assert app.selectbox(key=f"{Key.GAP}.learn").value == "order", "the address names it"
    assert set(cards()) == set(NUMBERS)
    for name in cards():
        app.selectbox(key=f"{Key.GAP}.learn").set_value(name).run()
        assert not app.exception
        assert len(app.get("plotly_chart")) == 1, "one open at a time"
        figures_by_name[name] = figure(app, f"proofs.{name}")
        text_shown += written(app)
    assert app.query_params[Key.GAP] == "vacuous"
    assert len(
        {figure_of_gap["layout"]["title"]["text"] for figure_of_gap in figures_by_name.values()}
    ) == len(cards())
    claimed, real = (trace["y"] for trace in figures_by_name["rotation"]["data"])
    assert real == pytest.approx([0.977] * len(real), abs=1e-3)
    assert all(
        smaller > 9 * larger for smaller, larger in pairwise(claimed)
    )  # a tenth, for ten times as many documents
    assert "T moves by 0.977, 73 times what the theorem allows" in text_shown
    spending = {trace["name"]: trace["y"] for trace in figures_by_name["spending"]["data"]}
    assert max(spending["spent at least, variance Δ²τ (Section 6)"]) > max(spending["claimed"]) == 1
    scaled_bounds, useful_bounds = (trace["y"] for trace in figures_by_name["scaling"]["data"])
    assert list(scaled_bounds) == sorted(scaled_bounds)
    assert list(useful_bounds) == sorted(useful_bounds, reverse=True)


@pytest.mark.parametrize(
    ("name", "sentences"),
    [
        ("order", ["γs is 0.092, well above 0", "We know no two collections, one document apart"]),
        ("spending", ["Proposition 18 and Lemma 8 are right", "Section 6 loses a square"]),
        ("below", ["1.0% and 1.1% of the documents", "One rare topic is not enough"]),
        ("scaling", ["Inferred: its M₂ is multiplied", "not in that code"]),
        ("equations", ["(9) adds up N³ triples", "α₀ = 0.1, N = 4,400"]),
        ("twice", ["One noisy M₂ gives both W and W†"]),
        ("entries", ["1/√2 of the noise on pairs of words and 1/√6 on triples"]),
        ("search", ["36 splits: three edges in tenths of ε"]),
    ],
)
def test_proofs_card_says_what_is_known_of_its_gap(open_page, name, sentences) -> None:
    text = written(open_page("proofs", {"gap": name}))
    for sentence in sentences:
        assert sentence in text


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("order", "Tensors 2.3e-5 apart: the first vector moves by 0.77; Theorem 6 allows 7e-4"),
        ("twice", "M₂ carries 2.7 times the noise that this ε needs"),
        ("search", "The best of 36 runs at ε = 1 can cost ε = 4.4, and costs at most 7.1"),
        ("below", "One document moves γs by 120 times what is claimed, at every N"),
    ],
)
def test_proofs_picture_is_titled_with_its_numbers(open_page, figure, name, title) -> None:
    drawn_figure = figure(open_page("proofs", {"gap": name}), f"proofs.{name}")
    assert drawn_figure["layout"]["title"]["text"].replace("<br>", " ") == title
