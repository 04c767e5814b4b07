"""Where the α0 that was given is contradicted, another run is said to be a second charge."""

import pytest
from streamlit.testing.v1 import AppTest


def page(reading: float, low: float) -> None:
    from types import SimpleNamespace

    from dplda.methods.full_batch_vi.mixing import Mixing
    from dplda.ui.explore import releases

    known = SimpleNamespace(mixing=Mixing(reading, low, float("inf"), 1.0))
    releases.mixing(known)


@pytest.mark.parametrize(("reading", "low", "warned"), [(3.14, 2.0, True), (3.14, 0.5, False), (999.0, 500.0, True)])
def test_it_is_said_where_the_end_is_beyond_what_was_given(reading: float, low: float, warned: bool) -> None:
    app = AppTest.from_function(page, args=(reading, low)).run()
    assert not app.exception
    assert "at least" in app.caption[0].value
    assert any("second charge" in one.value for one in app.caption) is warned
