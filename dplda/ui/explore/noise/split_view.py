"""Divide the budget: a slider and a lock for each quantity, and ready-made divisions."""

from collections.abc import Sequence

import streamlit as st

from dplda.methods import budget
from dplda.methods.chain.noise_table import EdgeNoise
from dplda.methods.plan import Plan
from dplda.methods.problem import Origin
from dplda.ui.shell import method_choice
from dplda.ui.state.keys import Key

PERCENT = 100 / budget.STEPS


def controls(plan: Plan, rows: Sequence[EdgeNoise]) -> None:
    """Draw sliders, locks and ready-made divisions."""
    split = method_choice.split(plan.configuration)
    names = {row.name: f"{row.symbol} · {row.quantity}" for row in rows}
    with st.container(gap="xxsmall"):
        for quantity in split.quantities:
            _slider(plan.configuration, split, quantity, names.get(quantity, quantity))
    _first_words(plan, rows)
    with st.popover("Divide the budget for me", icon=":material/tune:", width="stretch"):
        st.caption(
            f"Shares of {plan.variant.unit}. Moving one takes from the others in proportion; a locked one stays."
        )
        _ready_made(plan)


def _first_words(plan: Plan, rows: Sequence[EdgeNoise]) -> None:
    """What the sliders do not divide: what goes on words before, from public numbers."""
    besides = {beside.name for beside in plan.variant.besides}
    for row in rows:
        if row.name in besides:
            st.caption(
                f"{row.symbol} · {row.quantity} come first and take {row.share:.1%} of the budget. The sliders divide"
                " the rest; a run that finds no topics spends the tensor's share on words as well."
            )


def _slider(configuration: str, split: budget.Split, quantity: str, label: str) -> None:
    locked = quantity in split.locked
    key, lock = _key(Key.SHARE, quantity), _key(Key.LOCK, quantity)
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
            args=(configuration, quantity),
            help="Its share of the budget: more means less noise on it, and more on the others.",
        )
        st.toggle(
            f"Lock {label.split(' · ')[0]}",
            key=lock,
            on_change=_lock,
            args=(configuration, quantity),
            width="content",
            help="Keep this share while others change.",
        )


def _ready_made(plan: Plan) -> None:
    variant, configuration = plan.variant, plan.configuration
    with st.container(horizontal=True):
        st.button(
            "The configuration's own",
            key=Key.SPLIT_OWN,
            on_click=method_choice.set_split,
            args=(configuration, budget.default(variant), Origin.BEFOREHAND),
        )
        st.button(
            "Equal shares",
            key=Key.SPLIT_EQUAL,
            on_click=method_choice.set_split,
            args=(configuration, budget.equal(variant.names), Origin.BEFOREHAND),
        )


def _move(configuration: str, quantity: str) -> None:
    split = method_choice.split(configuration)
    low, high = budget.allowed(split, quantity)
    wanted = float(st.session_state[_key(Key.SHARE, quantity)]) / 100
    method_choice.set_split(configuration, budget.give(split, quantity, min(max(wanted, low), high)))


def _lock(configuration: str, quantity: str) -> None:
    held = bool(st.session_state[_key(Key.LOCK, quantity)])
    method_choice.set_split(configuration, budget.lock(method_choice.split(configuration), quantity, held=held))


def _key(of: Key, quantity: str) -> str:
    return f"{of}.{quantity}"
