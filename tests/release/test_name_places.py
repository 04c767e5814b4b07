"""Names on the map of a report stay on it and beside their circles."""

import numpy as np

from dplda.release.report.name_places import LINE_HEIGHT, place_names

SIDES = {"width": 640.0, "height": 400.0}


def test_names_of_circles_that_are_apart_cover_nothing() -> None:
    positions = np.array([[80.0, 80.0], [320.0, 200.0], [560.0, 340.0], [320.0, 330.0]])
    radii = np.full(4, 25.0)
    places = place_names(["flight, hotel, ticket"] * 4, positions, radii, **SIDES)
    for number, place in enumerate(places):
        assert place.width / 2 <= place.x <= 640 - place.width / 2
        assert LINE_HEIGHT <= place.y <= 400
        for x, y in positions:
            assert place.overlap_with_circle(x, y, 25.0) == 0
        assert all(place.overlap_with(other_place) == 0 for other_place in places[:number])


def test_name_at_the_edge_is_moved_inside() -> None:
    (place,) = place_names(["x" * 26], np.array([[20.0, 390.0]]), np.array([10.0]), **SIDES)
    assert place.x - place.width / 2 >= 0
    assert place.y <= 400
