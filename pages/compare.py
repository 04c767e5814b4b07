"""Compare: which method to use."""

from dplda.ui.compare import answer, curves, paper_numbers, regime_map
from dplda.ui.shell import frame
from dplda.ui.shell.frame import View
from dplda.ui.state import link
from dplda.ui.state.keys import Key


def has_epsilon() -> bool:
    """Whether ε moves the curves: a paper's table has no use for one."""
    preset = paper_numbers.selected_preset()
    return preset is None or preset.sweep is not None


frame.open_place(
    "Compare",
    "Which method should I use?",
    [
        View(
            "Error curves",
            curves.draw,
            curves.header,
            (link.SHOWN_KEY, Key.CURVES_READING),
            has_epsilon=has_epsilon,
        ),
        View("Regimes", regime_map.draw, answer.header, regime_map.OWN_PARAMETERS),
    ],
)
