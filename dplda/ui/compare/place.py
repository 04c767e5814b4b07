"""The views of Compare."""

from dplda.ui.compare.error_curves import curves_view
from dplda.ui.compare.regimes import regimes_view
from dplda.ui.shell import frame
from dplda.ui.shell.frame import View


def draw() -> None:
    """Draw the place."""
    frame.open_place(
        "Compare",
        "Which method should I use?",
        [
            View("Error curves", curves_view.draw, curves_view.header),
            View("Regimes", regimes_view.draw, regimes_view.header),
        ],
    )
