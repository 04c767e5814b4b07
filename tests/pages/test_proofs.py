from itertools import pairwise

import pytest

GAPS = ("moments", "rotation", "exchange", "scaling", "spending", "below", "order", "bases", "vacuous")


def test_every_gap_has_a_picture_of_the_numbers_that_it_speaks_of(open_page, figure) -> None:
    app = open_page("proofs")
    drawn = {name: figure(app, f"proofs.{name}") for name in GAPS}
    assert len({each["layout"]["title"]["text"] for each in drawn.values()}) == len(GAPS)
    claimed, real = (trace["y"] for trace in drawn["rotation"]["data"])
    assert real == pytest.approx([0.977] * len(real), abs=1e-3)
    assert all(one > 9 * other for one, other in pairwise(claimed))  # a tenth, for ten times as many documents
    assert "T moves by 0.977, 73 times what the theorem allows" in " ".join(text.value for text in app.markdown)
    spent = {trace["name"]: trace["y"] for trace in drawn["spending"]["data"]}
    assert max(spent["spent at least, τ as a variance"]) > max(spent["claimed"]) == 1
    scaled, worth = (trace["y"] for trace in drawn["scaling"]["data"])
    assert list(scaled) == sorted(scaled)
    assert list(worth) == sorted(worth, reverse=True)
