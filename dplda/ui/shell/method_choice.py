"""The chosen method and its calibration; each calibration of a configuration has its own split."""

import streamlit as st

from dplda.methods.base.method import Method
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations import split as splits
from dplda.methods.configurations.variant import Variant
from dplda.methods.registry import calibrations
from dplda.ui.state.keys import Key


def selected_name() -> str:
    """Name of the method chosen in the sidebar, without its calibration."""
    return str(st.session_state[Key.CONFIGURATION])


def calibration_key(name: str) -> str:
    """The key of a method's calibration; each method has its own, so the choice survives switching methods."""
    return f"{Key.CALIBRATION}.{name}"


def selected_method(name: str) -> Method:
    """The calibration chosen for a method of this name, or its recommended one."""
    offered = calibrations(name)
    return offered.get(str(st.session_state.get(calibration_key(name)))) or next(
        iter(offered.values())
    )


def select(method: Method) -> None:
    """Choose a method with its scaling; call this before their controls are drawn."""
    st.session_state[Key.CONFIGURATION] = method.name
    if method.scaling is not None:
        st.session_state[calibration_key(method.name)] = method.scaling.value


def current_split(configuration: str) -> splits.Split:
    """The current split of a configuration's budget, with its locks, in whole thousandths."""
    kept: splits.Split | None = _kept().get(selected_method(configuration).key)
    return kept or round_split(splits.default_split(_variant(configuration)))


def set_split(configuration: str, chosen: splits.Split | tuple[tuple[str, float], ...]) -> None:
    """Set the split of the budget, or reset it to the default if it is empty; rounded to thousandths."""
    if isinstance(chosen, tuple):
        chosen = (
            splits.split_from_shares(chosen)
            if chosen
            else splits.default_split(_variant(configuration))
        )
    st.session_state[Key.SPLITS] = {
        **_kept(),
        selected_method(configuration).key: round_split(chosen),
    }


def round_split(chosen: splits.Split) -> splits.Split:
    """The nearest split in whole thousandths, with the same locks."""
    found = splits.from_thousandths(chosen.quantities, splits.to_thousandths(chosen))
    for name in chosen.locked:
        found = splits.lock_share(found, name)
    return found


def custom_split() -> tuple[tuple[str, float], ...]:
    """Split of the chosen method; empty if it is the default, or nothing is split."""
    chosen = selected_method(selected_name())
    if not chosen.quantities:
        return ()
    shares, own = (
        current_split(chosen.name).shares,
        round_split(splits.default_split(_variant(chosen.name))).shares,
    )
    return () if shares == own else shares


def _variant(configuration: str) -> Variant:
    scaling = selected_method(configuration).scaling
    assert scaling is not None  # every configuration has several, or one
    return REGISTRY[configuration].variants[scaling]


def _kept() -> dict[str, splits.Split]:
    kept: dict[str, splits.Split] = st.session_state.get(Key.SPLITS, {})
    return kept
