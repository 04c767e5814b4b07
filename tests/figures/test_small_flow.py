"""Small pictures of flows: widths, colors and words say what noise does to each edge."""

import re

import pytest

from dplda import figures
from dplda.figures.flows.edge_numbers import EdgeNumbers, Standing
from dplda.figures.flows.small_flow import BELOW_NOISE_COLOUR, CLEAR_COLOUR, HALF_BOX, small_flow
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
    known_numbers = (numbers("e6", 0.6, Standing.BELOW), numbers("e8", 0.4, Standing.CLEAR))
    picture = small_flow(SPECTRAL, EDGES, known_numbers)
    assert len(widths(picture.svg, BELOW_NOISE_COLOUR)) == 1
    assert len(widths(picture.svg, CLEAR_COLOUR)) == 1
    assert "noise above signal" in picture.alt
    assert picture.alt.count("noise above signal") == 1


def test_small_flow_edge_with_larger_share_is_thicker() -> None:
    known_numbers = (numbers("e6", 0.7, Standing.CLEAR), numbers("e8", 0.3, Standing.CLEAR))
    back, tensor = sorted(widths(small_flow(SPECTRAL, EDGES, known_numbers).svg, CLEAR_COLOUR))
    assert tensor > back > 3


def test_small_flow_image_escapes_its_words() -> None:
    image = figures.small_flow_image(SPECTRAL, EDGES)
    assert image.startswith('<img class="small-flow" alt="Flow from documents to topics.')
    assert "<script" not in image


def test_steps_of_a_method_have_symbols_for_small_pictures() -> None:
    flows = [method.flow for method in METHODS.values() if method.flow is not None]
    assert flows
    assert all(step.symbol for flow in flows for step in flow.steps)


def test_small_flow_on_a_dark_page_has_light_ink() -> None:
    light = small_flow(SPECTRAL, EDGES).svg
    dark = small_flow(SPECTRAL, EDGES, dark=True).svg
    assert 'fill="#1a2230"' in light
    assert 'fill="#e6ebf4"' in dark
    assert 'fill="#1a2230"' not in dark


def test_small_flow_of_every_method_fits_a_card_with_all_of_its_labels() -> None:
    """At 200 pixels, a card's width on a wide screen, letters keep their 12 pixels."""
    for method in METHODS.values():
        if method.flow is None:
            continue
        svg = small_flow(method.flow, method.flow.noised).svg
        left_edge, top, width, height = map(int, re.findall(r'viewBox="(.*?)"', svg)[0].split())
        rectangles = re.findall(r'<rect x="([-\d.]+)" y="([-\d.]+)".*?height="([\d.]+)"', svg)
        assert width <= 200, method.title
        assert set(re.findall(r'font-size="(\d+)"', svg)) == {"12"}
        for x, y, rectangle_height in rectangles:
            assert float(x) >= left_edge, method.title
            assert top <= float(y) < float(y) + float(rectangle_height) <= top + height


def test_small_flow_arrows_end_at_the_edge_of_a_box() -> None:
    svg = small_flow(SPECTRAL, ()).svg
    half_width, half_height = HALF_BOX
    boxes = re.findall(r'<rect x="([-\d.]+)" y="([-\d.]+)"', svg)
    centers = [(float(x) + half_width, float(y) + half_height) for x, y in boxes]
    tips = re.findall(r'<polygon points="([-\d.]+),([-\d.]+)', svg)
    assert len(tips) == len(SPECTRAL.arrows)
    for x, y in tips:
        distances = [
            max(abs(float(x) - center_x) / half_width, abs(float(y) - center_y) / half_height)
            for center_x, center_y in centers
        ]
        assert min(distances) == pytest.approx(1, abs=0.02)
