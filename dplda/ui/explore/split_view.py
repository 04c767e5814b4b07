"""Divide the budget: a slider and a lock for each quantity, and ready-made divisions."""

from collections.abc import Sequence

import streamlit as st

from dplda.methods import budget
from dplda.methods.chain.noise_table import EdgeNoise
from dplda.methods.plan import Plan
from dplda.ui.shell import method_choice
from dplda.ui.state.keys import Key

PERCENT = 100 / budget.STEPS


def controls(plan: Plan, rows: Sequence[EdgeNoise]) -> None:
    """Draw sliders, locks and ready-made divisions. Moving a share takes from the others, but not from locked ones."""
    split = method_choice.split(plan.configuration)
    names = {row.name: f"{row.symbol} · {row.quantity}" for row in rows}
    with st.container(gap="xxsmall"):
        for quantity in split.quantities:
            _slider(plan, split, quantity, names.get(quantity, quantity))
    besides = {beside.name for beside in plan.variant.besides}
    for row in rows:
        if row.name in besides:  # what goes on words before, from public numbers
            st.caption(
                f"{row.symbol} · {row.quantity} take {row.share:.1%} of the budget first; these divide the rest."
            )
    ready_made = (
        ("Default split", Key.SPLIT_OWN, budget.default(plan.variant)),
        ("Equal shares", Key.SPLIT_EQUAL, budget.equal(plan.variant.names)),
    )
    with st.container(horizontal=True):
        for label, key, chosen in ready_made:
            st.button(label, key=key, on_click=method_choice.set_split, args=(plan.configuration, chosen))


def _slider(plan: Plan, split: budget.Split, quantity: str, label: str) -> None:
    locked = quantity in split.locked
    key, lock = f"{Key.SHARE}.{quantity}", f"{Key.LOCK}.{quantity}"
    st.session_state[key] = round(100 * split[quantity], 1)
    st.session_state[lock] = locked
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.slider(
            label,
            min_value=100 * budget.MINIMUM,
            max_value=100 - PERCENT,
            step=PERCENT,
            format="%.1f %%",
            key=key,
            disabled=locked or len(split.locked) >= len(split.quantities) - 1,
            on_change=_move,
            args=(plan.configuration, quantity),
            help=f"Its share of {plan.variant.unit}. A larger share means less noise here and more on the others.",
        )
        st.toggle(
            f"Lock {label.split(' · ')[0]}",
            key=lock,
            on_change=_lock,
            args=(plan.configuration, quantity),
            width="content",
            help="Keeps this share while you move the others.",
        )


def _move(configuration: str, quantity: str) -> None:
    split = method_choice.split(configuration)
    low, high = budget.allowed(split, quantity)
    wanted = float(st.session_state[f"{Key.SHARE}.{quantity}"]) / 100
    method_choice.set_split(configuration, budget.give(split, quantity, min(max(wanted, low), high)))


def _lock(configuration: str, quantity: str) -> None:
    held = bool(st.session_state[f"{Key.LOCK}.{quantity}"])
    method_choice.set_split(configuration, budget.lock(method_choice.split(configuration), quantity, held=held))
