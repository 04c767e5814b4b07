"""Places that speak of the paper say which one, with its authors."""

import pytest

from dplda.methods.base.method_names import PAPER_AUTHORS, RIVAL_AUTHORS
from dplda.ui.state.keys import Key
from tests.pages.conftest import written

SMALL = {"corpus": "simulated_500_30_3_1_40_poisson_0.1_0", "k": "3"}


@pytest.mark.parametrize("page", ["configurations", "bounds", "proofs"])
def test_place_that_speaks_of_the_paper_names_its_authors(page, open_page) -> None:
    assert PAPER_AUTHORS in written(open_page(page, SMALL))


@pytest.mark.parametrize(
    ("figure", "authors"), [("figure-2a", PAPER_AUTHORS), ("park-figure-1", RIVAL_AUTHORS)]
)
def test_figure_of_a_paper_names_the_authors_of_its_own_paper(figure, authors, open_page) -> None:
    app = open_page("error_curves", SMALL)
    app.selectbox(key=Key.CURVES_SHOWN).set_value(figure).run()
    assert f"**{authors} report.**" in written(app)
