"""A palette that does not end: its colours stay apart, for eyes that see no red or no green too."""

import numpy as np

from dplda.evaluation.colours import (
    _CONE_VISION,
    PALETTE,
    _distance_to_nearest,
    _linear_light,
    colour,
    contrast,
)
from dplda.figures import theme


def test_thirty_added_colours_can_be_told_apart_without_red_or_green_cones() -> None:
    """By 0.045 in Oklab, twice what people just notice; a colour is the same whoever is asked for first."""
    assert tuple(map(colour, range(len(PALETTE)))) == PALETTE, "the printed ones come first"
    last_number = len(PALETTE) + 30
    for number in map(colour, range(last_number)):
        assert (
            contrast(number, theme.ink_on(number)) > 4.2
        )  # what the better of two inks has on any colour
        assert min(contrast(number, ground) for ground in (theme.GROUND, theme.GROUND.dark)) > 1.6
    light = np.array([_linear_light(colour(place)) for place in reversed(range(last_number))])[::-1]
    for eyes in _CONE_VISION:
        seen_colors = light @ eyes.T
        for place in range(len(PALETTE), last_number):
            other_colors = np.delete(seen_colors, place, axis=0)
            assert _distance_to_nearest(seen_colors[place : place + 1], other_colors).item() > 0.045


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#FFFFFF") == contrast("#FFFFFF", "#000000") == 21
    assert round(contrast("#FFFFFF", "#777777"), 2) == 4.48
