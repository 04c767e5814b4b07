"""How much these documents mix topics, read off released values, and what may be done about it."""

import math

import streamlit as st

from dplda.methods.full_batch_vi.mixing import Mixing
from dplda.methods.full_batch_vi.uncertainty import Uncertainty
from dplda.ui.shell import run_again
from dplda.ui.shell.keys import Key
from dplda.ui.shell.link import ALPHAS


def headline(uncertainty: Uncertainty) -> None:
    """What α0 the released values show, and how surely."""
    found = uncertainty.mixing
    st.caption(
        "How much documents mix topics (α₀) cannot be told at this ε: no pairs of words were released."
        if found is None
        else in_words(found)
    )


def in_words(found: Mixing) -> str:
    """The reading, its end and what they rest on, in two sentences."""
    if found.low == 0 and math.isinf(found.high):
        return "How much documents mix topics (α₀) cannot be told at this ε: noise in pairs of words hides it."
    end = f"at least {found.low:.2g}" if found.low else f"at most {found.high:.2g}"
    return (
        f"Released pairs of words show documents mixed as by α₀ ≈ {found.reading:.2g}: {end}, 95 % sure where"
        " documents follow the model. The other end is not known, since topics found with"
        f" α₀ = {found.given:g} lean towards that."
    )


def offer(uncertainty: Uncertainty, *, place: str) -> None:
    """A new run with the α0 that was read, where the one given is beyond its end."""
    found = uncertainty.mixing
    if found is None or not found.contradicts:
        return
    read = min(max(float(f"{found.reading:.2g}"), ALPHAS[0]), ALPHAS[1])
    run_again.offer(read, symbol="α₀", sets=Key.ALPHA0, key=f"{Key.OTHER_ALPHA0}.{place}")
