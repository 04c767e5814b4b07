"""The risk of a release as a dial, from a coin's half to certainty."""

import math
from dataclasses import dataclass

from dplda.privacy.accounting.odds import format_chance
from dplda.privacy.accounting.risk import Risk

RADIUS = 80.0  # of the arc, in units of the drawing, like all that follow
MIDDLE = (100.0, 100.0)
COIN = 0.5


@dataclass(frozen=True, slots=True)
class RiskDial:
    """A half circle that is filled from a coin's half, on the left, to a certain guess.

    Attributes:
        number: right guesses, rounded up, such as ``59``.
        scale: of how many, such as ``times in 100``.
        track: path of the whole half circle.
        filled: path of the filled part.
        in_words: the same for somebody who hears it.
    """

    number: str
    scale: str
    track: str
    filled: str
    in_words: str


def risk_dial(risk: Risk) -> RiskDial:
    """Make the dial of a risk: an arc from a coin's chance of a right guess to certainty.

    It is filled up to the chance that the risk allows.

    Args:
        risk: of everything that was released.
    """
    share_of_arc = (risk.right_guess - COIN) / (1 - COIN)
    chance_number, _, chance_scale = format_chance(risk.right_guess).partition(" ")
    return RiskDial(
        number=chance_number,
        scale=chance_scale,
        track=_arc_to(1.0),
        filled=_arc_to(share_of_arc),
        in_words=(
            f"A guess between two is right at most {chance_number} {chance_scale}."
            " A coin: 50 in 100."
        ),
    )


def _arc_to(share: float) -> str:
    """Path of a half circle's part, clockwise from its left end.

    Args:
        share: of the half circle, in [0, 1].
    """
    angle = math.pi * (1 - share)
    x = MIDDLE[0] + RADIUS * math.cos(angle)
    y = MIDDLE[1] - RADIUS * math.sin(angle)
    return f"M {MIDDLE[0] - RADIUS:g} {MIDDLE[1]:g} A {RADIUS:g} {RADIUS:g} 0 0 1 {x:.2f} {y:.2f}"
