"""What released values tell: how much documents mix topics, and what a sensitivity means."""

import math

import streamlit as st

from dplda.methods.full_batch_vi.uncertainty import Uncertainty
from dplda.privacy.release import Status
from dplda.ui.state import session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import ALPHAS


def mixing(uncertainty: Uncertainty) -> None:
    """What α0 the released values show, how surely, and what that rests on."""
    found = uncertainty.mixing
    if found is None:
        said = "How much documents mix topics (α₀) is not known: this run released no pairs of words."
    elif found.low == 0 and math.isinf(found.high):
        said = "How much documents mix topics (α₀) is hidden by noise at this ε."
    else:
        end = f"at least {found.low:.2g}" if found.low else f"at most {found.high:.2g}"
        said = (
            f"The released pairs of words suggest α₀ ≈ {found.reading:.2g}, {end} (95 % sure if documents follow the"
            f" model). Nothing is sure in the other direction: this run assumed α₀ = {found.given:g}."
        )
    st.caption(said)


def offer_mixing(uncertainty: Uncertainty) -> None:
    """A new run with the α0 that was read, where the one given is beyond its end, and what that would cost."""
    found = uncertainty.mixing
    if found is None or not found.contradicts:
        return
    read = min(max(float(f"{found.reading:.2g}"), ALPHAS[0]), ALPHAS[1])
    with st.container(horizontal=True, vertical_alignment="center"):
        again = f"Run again with α₀ = {read:g}"
        st.button(again, icon=":material/replay:", key=Key.OTHER_ALPHA0, on_click=session.put, args=(Key.ALPHA0, read))
        st.caption("On a real release this is a second charge: it costs the same ε once more.", width="stretch")


def sensitivity_means(status: Status, unit: str) -> str:
    """What a sensitivity says of a document or a person, where a method has this status: a theorem, or a claim."""
    if status is Status.AS_PUBLISHED:
        return (
            f"how far one replaced {unit} can move it, as the paper claims without a valid proof; Learn shows"
            " counterexamples"
        )
    return f"how far one replaced {unit} can move it"
