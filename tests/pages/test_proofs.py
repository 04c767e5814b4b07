from itertools import pairwise

import pytest

from dplda.ui.shell.keys import Key


@pytest.fixture
def app(open_page):
    return open_page("proofs")


def test_a_counterexample_passes_the_bound_more_the_more_documents_there_are(app) -> None:
    values = [metric.value for metric in app.metric]
    assert values[1:3] == ["0.977", "73 ×"]
    app.select_slider(key=Key.PROOF_DOCUMENTS).set_value(440_000).run()
    assert not app.exception
    values = [metric.value for metric in app.metric]
    assert values[1] == "0.977"
    assert int(values[2].split()[0].replace(",", "")) > 7000


def test_every_calibration_is_judged(app) -> None:
    table = app.table[0].value
    assert len(table) == 9
    assert table["calibration"].tolist().count("as published: not proven") == 4


GAPS = ("moments", "rotation", "exchange", "scaling", "spending", "below", "order", "bases", "vacuous")


def test_every_gap_has_a_picture_of_the_numbers_that_it_speaks_of(app, figure) -> None:
    drawn = {name: figure(app, f"proofs.{name}") for name in GAPS}
    assert len({each["layout"]["title"]["text"] for each in drawn.values()}) == len(GAPS)
    claimed, real = (trace["y"] for trace in drawn["rotation"]["data"])
    assert real == pytest.approx([0.977] * len(real), abs=1e-3)
    assert all(one > 9 * other for one, other in pairwise(claimed))  # a tenth, for ten times as many documents
    spent = {trace["name"]: trace["y"] for trace in drawn["spending"]["data"]}
    assert max(spent["spent at least, τ as a variance"]) > max(spent["claimed"]) == 1
    scaled, worth = (trace["y"] for trace in drawn["scaling"]["data"])
    assert list(scaled) == sorted(scaled)
    assert list(worth) == sorted(worth, reverse=True)
