"""A new run with the α0 that was read is offered where it is contradicted, and said to be a second charge."""

import pytest
from streamlit.testing.v1 import AppTest


def page(reading: float, low: float) -> None:
    from types import SimpleNamespace

    import streamlit as st

    from dplda.methods.full_batch_vi.mixing import Mixing
    from dplda.ui.shell import findings

    known = SimpleNamespace(mixing=Mixing(reading, low, float("inf"), 1.0))
    findings.mixing(known)
    findings.offer_mixing(known)
    st.text(st.session_state.get("alpha0"))


@pytest.mark.parametrize(("reading", "low", "offered"), [(3.14, 2.0, True), (3.14, 0.5, False), (999.0, 500.0, True)])
def test_it_is_offered_where_the_end_is_beyond_what_was_given(reading: float, low: float, offered: bool) -> None:
    app = AppTest.from_function(page, args=(reading, low)).run()
    assert not app.exception
    assert "at least" in app.caption[0].value
    assert any("second charge" in one.value for one in app.caption) is offered
    if offered:
        app.button[0].click().run()
        assert float(app.text[0].value) == min(float(f"{reading:.2g}"), 100.0)
