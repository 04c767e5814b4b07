"""The views of Compare."""

from dplda.ui.compare import answer, curves, regime_map
from dplda.ui.shell import frame
from dplda.ui.shell.frame import View


def draw() -> None:
    """Draw the place; only a paper's table, or its figure without an axis of ε, has no use for one."""
    preset = curves.shown()
    frame.open_place(
        "Compare",
        "Which method should I use?",
        [
            View("Error curves", curves.draw, curves.header, epsilon=preset is None or preset.sweep is not None),
            View("Regimes", regime_map.draw, answer.header),
        ],
    )
