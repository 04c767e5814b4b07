"""Colours of topics and methods."""

from dplda.evaluation.colours import PALETTE, contrast


def test_no_two_colours_are_equal_and_all_show_on_both_pages() -> None:
    assert len(set(PALETTE)) == len(PALETTE)
    assert all(min(contrast(colour, page) for page in ("#FFFFFF", "#10151F")) > 1.5 for colour in PALETTE)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#FFFFFF") == contrast("#FFFFFF", "#000000") == 21
    assert round(contrast("#FFFFFF", "#777777"), 2) == 4.48
