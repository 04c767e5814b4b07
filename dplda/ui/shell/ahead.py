"""What somebody who moves ε will probably ask for next: one step further, and one back."""

from collections.abc import Callable, Sequence

import streamlit as st

from dplda.ui.shell import cache
from dplda.ui.shell.background import BACKGROUND, Wish
from dplda.ui.shell.frame import Experiment
from dplda.ui.shell.keys import Key
from dplda.ui.shell.link import EPSILONS


def fits(experiment: Experiment) -> None:
    """Have the chosen method fitted at the steps beside this one, while nobody waits, if ε is being moved."""
    wish(experiment, lambda epsilons: cache.ahead(experiment.corpus, experiment.settings, epsilons))


def wish(experiment: Experiment, at: Callable[[Sequence[float]], list[Wish]]) -> None:
    """Have something made ahead.

    Args:
        experiment: whose ε may be on the move.
        at: what is wanted at these ε, the likeliest first.
    """
    if steps := _beside(experiment.settings.epsilon):
        BACKGROUND.ahead(at(steps))


def _beside(epsilon: float) -> tuple[float, ...]:
    """The next step of the slider in the direction it was last moved, and the one before; none before it is moved."""
    before, way = st.session_state.get(Key.WAY, (epsilon, 0))
    if epsilon != before:
        way = 1 if epsilon > before else -1
    st.session_state[Key.WAY] = (epsilon, way)
    if not way or epsilon not in EPSILONS:
        return ()
    at = EPSILONS.index(epsilon)
    return tuple(float(EPSILONS[i]) for i in (at + way, at - way) if 0 <= i < len(EPSILONS))
