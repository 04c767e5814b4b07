"""What released values tell: how many topics, how much documents mix them, and what a sensitivity means."""

import math

import streamlit as st

from dplda.core.formatting import differing
from dplda.methods.full_batch_vi.mixing import Mixing
from dplda.methods.full_batch_vi.uncertainty import Uncertainty
from dplda.privacy.release import Status
from dplda.ui.state import session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import ALPHAS


def topic_count(uncertainty: Uncertainty, *, n_true: int | None = None) -> None:
    """How many topics differ from the word frequencies, and that this is no evidence of topics."""
    number, k = uncertainty.n_differing, len(uncertainty.topics)
    st.markdown(differing(number, k))
    said = "" if number == k else "Those that do not differ are not readable at this ε. "
    if n_true is not None and n_true < k:
        said += f"The documents were drawn from {n_true} topics only. "
    st.caption(said + "This is read off released values, so knowing it costs no privacy.")


def mixing(uncertainty: Uncertainty) -> None:
    """What α0 the released values show, and how surely."""
    found = uncertainty.mixing
    st.caption(
        "How much documents mix topics (α₀) cannot be told at this ε: no pairs of words were released."
        if found is None
        else mixing_in_words(found)
    )


def mixing_in_words(found: Mixing) -> str:
    """The reading, its end and what they rest on, in two sentences."""
    if found.low == 0 and math.isinf(found.high):
        return "How much documents mix topics (α₀) cannot be told at this ε: noise in pairs of words hides it."
    end = f"at least {found.low:.2g}" if found.low else f"at most {found.high:.2g}"
    return (
        f"Released pairs of words show documents mixed as by α₀ ≈ {found.reading:.2g}: {end}, 95 % sure where"
        " documents follow the model. The other end is not known, since topics found with"
        f" α₀ = {found.given:g} lean towards that."
    )


def offer_mixing(uncertainty: Uncertainty, *, place: str) -> None:
    """A new run with the α0 that was read, where the one given is beyond its end."""
    found = uncertainty.mixing
    if found is None or not found.contradicts:
        return
    read = min(max(float(f"{found.reading:.2g}"), ALPHAS[0]), ALPHAS[1])
    _offer(read, symbol="α₀", sets=Key.ALPHA0, key=f"{Key.OTHER_ALPHA0}.{place}")


def sensitivity_means(status: Status, unit: str) -> str:
    """What a sensitivity says of a document or a person, where a method has this status: a theorem, or a claim."""
    if status is Status.AS_PUBLISHED:
        return (
            f"how far one replaced {unit} moves it as the paper has it, which is not proven: where Proofs has a"
            f" counterexample one {unit} moves it further"
        )
    return f"how far one replaced {unit} can move it"


def _offer(number: float, *, symbol: str, sets: Key, key: str) -> None:
    """A button that sets the number, and what pressing it would cost on a real release."""
    asked = f"{symbol} = {number:g}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Run again with {asked}", icon=":material/replay:", key=key, on_click=session.put, args=(sets, number)
        )
        st.caption(
            f"A new run with {asked} looks at the documents again: on a real release it is a second charge of the same"
            f" ε, on top of the first.",
            width="stretch",
        )
