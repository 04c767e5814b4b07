"""Groups in Explore: shares by district and month, with noise, without it and in truth."""

import json
from dataclasses import replace

import numpy as np
import pytest

from dplda.corpus import Corpus, Label
from dplda.corpus.group_columns import GroupColumn
from dplda.experiments import run_card, run_script
from dplda.experiments.experiment import fit
from dplda.methods.shares.share_result import TopicShares
from dplda.ui.state import link
from dplda.ui.state.keys import Key
from tests.pages.conftest import bring, go, said
from tests.tiny_corpora import random_rows

SMALL = {
    "v": "3",
    "corpus": "simulated_2000_60_3_0.1_60_poisson_0.1_0",
    "k": "3",
    "alpha0": "0.1",
    "epsilon": "8",
    "table-epsilon": "1",
}


def marks(app) -> str:
    return " ".join(chart.proto.spec for chart in app.get("plotly_chart"))


def test_groups_page_for_a_new_visitor_shows_a_difference_with_its_price(open_page) -> None:
    app = open_page("groups")
    assert "larger theme in" in said(app)
    assert "possible tables" in said(app)
    assert "With the table, ε rises from 3 to 3.022" in said(app)
    assert len(app.get("plotly_chart")) == 3
    assert "truth" in marks(app)
    assert "without noise" in marks(app)


def test_groups_link_restores_the_column_with_its_epsilon(open_page) -> None:
    app = open_page("groups", SMALL | {"by": "month", "table-epsilon": "0.5"})
    assert app.segmented_control(key=Key.GROUPS_BY).value == "month"
    assert app.select_slider(key=Key.GROUPS_EPSILON).value == 0.5
    assert app.query_params["by"] == "month"
    assert app.query_params["table-epsilon"] == "0.5"
    go(app, "noise")
    assert "table-epsilon" not in app.query_params


def test_groups_slider_set_back_draws_the_same_noise(open_page) -> None:
    app = open_page("groups", SMALL)
    marks_before = marks(app)
    app.select_slider(key=Key.GROUPS_EPSILON).set_value(0.01).run()
    noisier = marks(app)
    assert noisier != marks_before
    app.select_slider(key=Key.GROUPS_EPSILON).set_value(1.0).run()
    assert marks(app) == marks_before
    assert "?" in noisier, "noise hides some group"


@pytest.mark.parametrize(
    "changes",
    [
        {"configuration": "adaptive", "epsilon": "0.1"},  # no topic is above the noise
        {"configuration": "config-4", "calibration": "published"},
        {"k": "5", "by": "month"},  # more topics than there are
        {"by": "x" * 200, "table-epsilon": "7"},  # no such column, nor such a price
    ],
)
def test_groups_view_opens_at_any_noise_or_link(changes, open_page) -> None:
    app = open_page("groups", SMALL | changes)
    is_drawn = bool(app.get("plotly_chart"))
    assert is_drawn is ("No topic is above the noise" not in said(app))


def test_groups_view_uses_columns_of_public_documents_alone(open_page) -> None:
    app = open_page("groups", SMALL)
    counts = random_rows(0, 400, 12, 40)
    column = GroupColumn("office <b>", ("Bonn", "Kiel"), (np.arange(400) % 2).astype(np.int32))
    public = Corpus.from_counts(counts, label=Label.PUBLIC, name="letters")
    bring(app, public)
    assert "no column to group by" in said(app)
    bring(app, replace(public, group_columns=(column,)))
    assert not app.exception
    assert "Kiel" in marks(app)
    bring(app, replace(public, label=Label.SENSITIVE, group_columns=(column,)))
    assert "page Release" in said(app)
    assert not app.get("plotly_chart")


@pytest.fixture(scope="module")
def by_month():
    """An experiment with a table of months, and its documents."""
    experiment = link.read(SMALL | {"by": "month", "configuration": "adaptive"})
    return experiment, experiment.corpus.draw()


def test_run_card_of_groups_records_the_table(by_month) -> None:
    experiment, corpus = by_month
    card = run_card.run_card(fit(experiment, corpus), experiment, corpus)
    assert json.loads(card)["shares"] == {"column": "month", "epsilon": 1.0}
    assert run_card.read_card(card).experiment == experiment


def test_script_of_groups_repeats_the_table(by_month, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(run_script.script(*by_month), "run.py", "exec"), names)
    shares = names["shares"]
    assert isinstance(shares, TopicShares)
    assert shares.groups[0] == "2025-01"
    assert shares.guarantee.claimed_epsilon == 1.0
