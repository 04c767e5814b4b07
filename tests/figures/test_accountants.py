"""The accounting lab's figure: what it says is what is in its curves."""

import math

from dplda import figures
from dplda.baselines.accounting import Accountant


def titled(figure) -> str:
    return " ".join(figure.layout.title.text.split("<br>"))


CURVES = {
    Accountant.PLD: (1.5, 0.93),
    Accountant.RDP: (2.0, 1.215),
    Accountant.CLASSIC: (2.6, 1.645),
    Accountant.CAPPED: (math.inf, 2.441),
    Accountant.STRONG: (5000.0, 26.3),
}


def test_the_lab_says_what_the_same_noise_is_worth() -> None:
    figure = figures.accountants((1.0, 1.24), CURVES, sigma=1.24)
    assert titled(figure) == (
        "The noise of σ = 1.24 is worth ε = 26.3 by strong composition, 2.44 by the paper's accountant, 0.93 by an"
        " exact one"
    )
    assert len({trace.line.dash for trace in figure.data}) == 5
    assert len({trace.marker.symbol for trace in figure.data}) == 5
    drawn = {trace.name: trace.y for trace in figure.data}
    assert drawn["strong composition"][0] is None  # beyond what says anything
    assert drawn["moments, orders capped (Park et al.)"][0] is None
    assert "orders capped (Park et al.): none" in figures.accountants_alt((1.0, 1.24), CURVES, sigma=1.0)
