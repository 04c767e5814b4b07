"""The chosen method and its calibration; each calibration of a configuration has its own split."""

import streamlit as st

from dplda.methods.base.method import Method
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations import split as splits
from dplda.methods.registry import calibrations
from dplda.ui.state.keys import Key


def selected_name() -> str:
    """Name of the method chosen in the sidebar, without its calibration."""
    return str(st.session_state[Key.CONFIGURATION])


def calibration_key(name: str) -> str:
    """The key of a method's calibration.

    Each method has its own, so that the choice survives switching methods.
    """
    return f"{Key.CALIBRATION}.{name}"


def selected_method(name: str) -> Method:
    """The calibration chosen for a method of this name, or its recommended one."""
    methods_by_calibration = calibrations(name)
    recommended_method = next(iter(methods_by_calibration.values()))
    calibration = str(st.session_state.get(calibration_key(name)))
    return methods_by_calibration.get(calibration, recommended_method)


def select(method: Method) -> None:
    """Choose a method with its calibration; call this before their controls are drawn."""
    st.session_state[Key.CONFIGURATION] = method.name
    if method.scaling is not None:
        st.session_state[calibration_key(method.name)] = method.scaling.value


def current_split(configuration: str) -> splits.Split:
    """The current split of a configuration's budget, with its locks, in whole thousandths."""
    own_split = _own_splits().get(selected_method(configuration).key)
    return own_split or _default_split(configuration)


def set_split(configuration: str, split: splits.Split | tuple[tuple[str, float], ...]) -> None:
    """Set the split of a configuration's budget, rounded to thousandths.

    Args:
        configuration: its name.
        split: with locks; or shares by quantity, none for the default.
    """
    if isinstance(split, tuple):
        split = splits.split_from_shares(split) if split else _default_split(configuration)
    key = selected_method(configuration).key
    st.session_state[Key.SPLITS] = {**_own_splits(), key: round_split(split)}


def round_split(split: splits.Split) -> splits.Split:
    """The nearest split in whole thousandths, with the same locks."""
    rounded = splits.from_thousandths(split.quantities, splits.to_thousandths(split))
    for quantity in split.locked:
        rounded = splits.lock_share(rounded, quantity)
    return rounded


def custom_split() -> tuple[tuple[str, float], ...]:
    """Shares of the chosen method by quantity; empty for the default, or if nothing is split."""
    method = selected_method(selected_name())
    if not method.quantities:
        return ()
    shares = current_split(method.name).shares
    if shares == _default_split(method.name).shares:
        return ()
    return shares


def _default_split(configuration: str) -> splits.Split:
    """The default split of a configuration in its chosen calibration, in whole thousandths."""
    calibration = selected_method(configuration).scaling
    assert calibration is not None  # every configuration has several, or one
    variant = REGISTRY[configuration].variants[calibration]
    return round_split(splits.default_split(variant))


def _own_splits() -> dict[str, splits.Split]:
    """Splits that were set, by the key of a configuration and its calibration."""
    by_key: dict[str, splits.Split] = st.session_state.get(Key.SPLITS, {})
    return by_key
