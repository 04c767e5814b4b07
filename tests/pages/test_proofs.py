from itertools import pairwise

import pytest

from dplda.theory.gaps.card_numbers import NUMBERS
from dplda.ui.learn.proofs_view import cards
from dplda.ui.state.keys import Key
from tests.pages.conftest import written


def test_every_gap_has_a_picture_of_the_numbers_that_it_speaks_of(open_page, figure) -> None:
    app, drawn, said = open_page("proofs", {"gap": "order"}), {}, ""
    assert app.selectbox(key=f"{Key.GAP}.learn").value == "order", "the address names it"
    assert set(cards()) == set(NUMBERS)
    for name in cards():
        app.selectbox(key=f"{Key.GAP}.learn").set_value(name).run()
        assert not app.exception
        assert len(app.get("plotly_chart")) == 1, "one open at a time"
        drawn[name] = figure(app, f"proofs.{name}")
        said += written(app)
    assert app.query_params[Key.GAP] == "vacuous"
    assert len({each["layout"]["title"]["text"] for each in drawn.values()}) == 9
    claimed, real = (trace["y"] for trace in drawn["rotation"]["data"])
    assert real == pytest.approx([0.977] * len(real), abs=1e-3)
    assert all(
        one > 9 * other for one, other in pairwise(claimed)
    )  # a tenth, for ten times as many documents
    assert "T moves by 0.977, 73 times what the theorem allows" in said
    spent = {trace["name"]: trace["y"] for trace in drawn["spending"]["data"]}
    assert max(spent["spent at least, τ as a variance"]) > max(spent["claimed"]) == 1
    scaled, worth = (trace["y"] for trace in drawn["scaling"]["data"])
    assert list(scaled) == sorted(scaled)
    assert list(worth) == sorted(worth, reverse=True)
