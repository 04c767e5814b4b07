"""Sliders, locks and buttons that divide a configuration's budget over its quantities."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from dplda.methods.configurations import split as splits
from dplda.methods.configurations.chain.noise_table import EdgeNoise
from dplda.methods.configurations.plan import Plan
from dplda.ui.explore.noise_tables import name_quantities
from dplda.ui.state import method_choice
from dplda.ui.state.keys import Key

STEP_PERCENT = 100 / splits.N_STEPS
SMALLEST_SHOWN = 0.0005  # share of the budget: less is 0.0 % in words
LOCK_HELP = "Keeps this share while you move the others."


def draw(plan: Plan, noise_rows: Sequence[EdgeNoise]) -> None:
    """Draw the division of the budget: a slider and a lock for each quantity, and two buttons.

    The division drawn is the page's current one for the configuration, whatever the plan's is.
    The buttons set the default split and equal shares.
    Moving a share takes from others that are not locked. Captions name what other releases take.

    Args:
        plan: the chosen configuration.
        noise_rows: noise of its quantities as far as known; empty for none, whose sliders are
            labeled by the plain names.
    """
    split = method_choice.current_split(plan.configuration)
    title_by_quantity = name_quantities(noise_rows)
    sliders = [
        _Slider(
            noise_row.name,
            f"{noise_row.edge} · {title_by_quantity[noise_row.name]}",
            f"{noise_row.edge} {noise_row.symbol}",
        )
        for noise_row in noise_rows
        if noise_row.name in split.quantities
    ]
    if not sliders:
        sliders = [_Slider(quantity, quantity, quantity) for quantity in split.quantities]
    with st.container(gap="xxsmall"):
        for slider in sliders:
            _draw_slider(plan, split, slider)
    _draw_other_releases(plan, noise_rows, title_by_quantity)
    _draw_ready_splits(plan)


def _draw_other_releases(
    plan: Plan, noise_rows: Sequence[EdgeNoise], title_by_quantity: Mapping[str, str]
) -> None:
    """Draw a caption for each release that takes its share before the quantities divide the rest.

    One that takes less than ``SMALLEST_SHOWN``, or is not among the rows of noise, has none.
    """
    extra_release_names = {release.name for release in plan.variant.extra_releases}
    for noise_row in noise_rows:
        if noise_row.name in extra_release_names and noise_row.share >= SMALLEST_SHOWN:
            st.caption(
                f"{title_by_quantity[noise_row.name]} take {noise_row.share:.1%} of the budget."
                " These divide the rest."
            )


def _draw_ready_splits(plan: Plan) -> None:
    """Draw two buttons, which set the default split and equal shares."""
    ready_splits = {
        "Default split": splits.default_split(plan.variant),
        "Equal shares": splits.equal_split(plan.variant.names),
    }
    with st.container(horizontal=True):
        for button_label, ready_split in ready_splits.items():
            st.button(
                button_label,
                key=f"{Key.SHARE}.{button_label}",
                on_click=method_choice.set_split,
                args=(plan.configuration, ready_split),
            )


@dataclass(frozen=True, slots=True)
class _Slider:
    """One quantity's slider.

    Attributes:
        quantity: its name in a split.
        label: written above the slider, in the words of the table of noise.
        short_label: on the toggle that locks it.
    """

    quantity: str
    label: str
    short_label: str


def _draw_slider(plan: Plan, split: splits.Split, slider: _Slider) -> None:
    """Draw a quantity's share as a slider, and its lock as a toggle.

    Sets both widgets to the split. The slider is disabled if the share or all others are locked.
    """
    quantity = slider.quantity
    is_locked = quantity in split.locked
    is_only_free = len(split.locked) >= len(split.quantities) - 1
    share_key = f"{Key.SHARE}.{quantity}"
    lock_key = f"{Key.LOCK}.{quantity}"
    st.session_state[share_key] = round(100 * split[quantity], 1)
    st.session_state[lock_key] = is_locked
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.slider(
            slider.label,
            min_value=100 * splits.MIN_SHARE,
            max_value=100 - STEP_PERCENT,
            step=STEP_PERCENT,
            format="%.1f %%",
            key=share_key,
            disabled=is_locked or is_only_free,
            on_change=_set_share_from_slider,
            args=(plan.configuration, quantity),
            help=f"Its share of {plan.variant.unit}. A larger share means less noise here and more"
            " on the others.",
        )
        st.toggle(
            f"Lock {slider.short_label}",
            key=lock_key,
            on_change=_set_lock_from_toggle,
            args=(plan.configuration, quantity),
            width="content",
            help=LOCK_HELP,
        )


def _set_share_from_slider(configuration: str, quantity: str) -> None:
    """Set a share to its slider, as far as locked shares leave room."""
    split = method_choice.current_split(configuration)
    low, high = splits.allowed_range(split, quantity)
    share = float(st.session_state[f"{Key.SHARE}.{quantity}"]) / 100
    new_split = splits.set_share(split, quantity, min(max(share, low), high))
    method_choice.set_split(configuration, new_split)


def _set_lock_from_toggle(configuration: str, quantity: str) -> None:
    """Lock or unlock a share as its toggle says."""
    split = method_choice.current_split(configuration)
    is_locked = bool(st.session_state[f"{Key.LOCK}.{quantity}"])
    new_split = splits.lock_share(split, quantity, is_locked=is_locked)
    method_choice.set_split(configuration, new_split)
