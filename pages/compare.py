"""Compare: which method to use."""

from dplda.ui.compare import answer, curves, regime_map
from dplda.ui.shell import frame
from dplda.ui.shell.frame import View

preset = curves.shown()
needs_epsilon = preset is None or preset.sweep is not None  # a paper's table has no use for one
frame.open_place(
    "Compare",
    "Which method should I use?",
    [
        View("Error curves", curves.draw, curves.header, epsilon=needs_epsilon),
        View("Regimes", regime_map.draw, answer.header),
    ],
)
