"""The plan that the controls make: configuration and ε from the sidebar, each calibration with a split of its own."""

import streamlit as st

from dplda import budget
from dplda.configurations import REGISTRY, Calibration
from dplda.configurations.route import Variant
from dplda.plan import Origin, Plan
from dplda.ui.shell.keys import Key


def configuration() -> str:
    """Name of the configuration chosen in the sidebar."""
    return str(st.session_state[Key.CONFIGURATION])


def calibration_key(configuration: str) -> str:
    """The key of a configuration's own choice of calibration, so that coming back to it finds it as it was."""
    return f"{Key.CALIBRATION}.{configuration}"


def calibration(configuration: str) -> Calibration:
    """The calibration chosen for a configuration, or its recommended one."""
    known = REGISTRY[configuration]
    chosen = st.session_state.get(calibration_key(configuration))
    return Calibration(chosen) if chosen in known.variants else known.default_calibration


def set_calibration(configuration: str, chosen: Calibration) -> None:
    """Choose a calibration; before its control is drawn."""
    st.session_state[calibration_key(configuration)] = chosen.value


def variant(configuration: str) -> Variant:
    """The calibration in force."""
    return REGISTRY[configuration].variants[calibration(configuration)]


def split(configuration: str) -> budget.Split:
    """The division in force, locks included, in whole thousandths."""
    known = variant(configuration)
    kept: budget.Split | None = _kept().get((configuration, calibration(configuration)))
    return kept or rounded(budget.default(known))


def origin(configuration: str) -> Origin:
    """Where the division in force comes from."""
    found: Origin = _origins().get((configuration, calibration(configuration)), Origin.BEFOREHAND)
    return found


def set_split(configuration: str, chosen: budget.Split, origin: Origin | None = None) -> None:
    """Divide the budget anew; what is kept is rounded to thousandths.

    Args:
        configuration: whose budget.
        chosen: the division.
        origin: where it comes from; None where it is made of the one in force by hand.
    """
    place = (configuration, calibration(configuration))
    st.session_state[Key.SPLITS] = {**_kept(), place: rounded(chosen)}
    if origin is not None:
        st.session_state[Key.ORIGINS] = {**_origins(), place: origin}


def rounded(chosen: budget.Split) -> budget.Split:
    """The nearest division in whole thousandths, under the same locks."""
    found = budget.from_steps(chosen.quantities, budget.in_steps(chosen))
    for name in chosen.locked:
        found = budget.lock(found, name)
    return found


def plan() -> Plan:
    """The plan as the controls stand; its split is left empty where it is the configuration's own."""
    chosen = configuration()
    known, shares = variant(chosen), split(chosen).shares
    own, come_from = rounded(budget.default(known)).shares, origin(chosen)
    return Plan(
        chosen,
        float(st.session_state[Key.EPSILON]),
        float(st.session_state[Key.DELTA]),
        split=() if shares == own and come_from is Origin.BEFOREHAND else shares,
        calibration=calibration(chosen),
        chosen=come_from,
    )


def _origins() -> dict[tuple[str, Calibration], Origin]:
    origins: dict[tuple[str, Calibration], Origin] = st.session_state.get(Key.ORIGINS, {})
    return origins


def _kept() -> dict[tuple[str, Calibration], budget.Split]:
    kept: dict[tuple[str, Calibration], budget.Split] = st.session_state.get(Key.SPLITS, {})
    return kept
