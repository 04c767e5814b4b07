"""Small pictures of flows: widths, colors and words say what noise does to each edge."""

import re

from dplda import figures
from dplda.figures.flows.edge_numbers import EdgeNumbers, Standing
from dplda.figures.flows.small_flow import CLEAR_COLOUR, DROWNED_COLOUR, small_flow
from dplda.flow import SPECTRAL
from dplda.methods.registry import METHODS

EDGES = ("e6", "e8")


def numbers(edge: str, share: float, standing: Standing) -> EdgeNumbers:
    return EdgeNumbers(edge, share, standing, (), ())


def widths(svg: str, colour: str) -> list[float]:
    """Widths of the arrows of a color."""
    pattern = rf'stroke="{colour}" stroke-width="([\d.]+)"'
    return [float(width) for width in re.findall(pattern, svg)]


def test_small_flow_edge_with_noise_above_signal_is_orange() -> None:
    known = (numbers("e6", 0.6, Standing.BELOW), numbers("e8", 0.4, Standing.CLEAR))
    picture = small_flow(SPECTRAL, EDGES, known)
    assert len(widths(picture.svg, DROWNED_COLOUR)) == 1
    assert len(widths(picture.svg, CLEAR_COLOUR)) == 1
    assert "noise above signal" in picture.alt
    assert picture.alt.count("noise above signal") == 1


def test_small_flow_edge_with_larger_share_is_thicker() -> None:
    known = (numbers("e6", 0.7, Standing.CLEAR), numbers("e8", 0.3, Standing.CLEAR))
    back, tensor = sorted(widths(small_flow(SPECTRAL, EDGES, known).svg, CLEAR_COLOUR))
    assert tensor > back > 3


def test_small_flow_image_escapes_its_words() -> None:
    image = figures.small_flow_image(SPECTRAL, EDGES)
    assert image.startswith('<img class="small-flow" alt="Flow from documents to topics.')
    assert "<script" not in image


def test_every_step_of_a_method_has_a_symbol_for_small_pictures() -> None:
    flows = [method.flow for method in METHODS.values() if method.flow is not None]
    assert flows
    assert all(step.symbol for flow in flows for step in flow.steps)


def test_small_flow_on_a_dark_page_has_light_ink() -> None:
    light = small_flow(SPECTRAL, EDGES).svg
    dark = small_flow(SPECTRAL, EDGES, dark=True).svg
    assert 'fill="#1a2230"' in light
    assert 'fill="#e6ebf4"' in dark
    assert 'fill="#1a2230"' not in dark
