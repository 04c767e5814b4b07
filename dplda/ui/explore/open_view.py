"""Views of Explore by title, and which of them is open."""

from enum import StrEnum

from dplda.ui.shell import views
from dplda.ui.state.keys import Key


class ExploreView(StrEnum):
    """Titles of the views, in the order of their buttons."""

    CONFIGURATIONS = "Configurations"
    TOPICS = "Topics"
    GROUPS = "Groups"
    NOISE = "Noise"
    BOUNDS = "Bounds"
    DOCUMENTS = "Documents"


PLACE = "explore"
UNNAMED = ExploreView.TOPICS  # what an address means that names an experiment and no view


def shows_one_method(place: str) -> bool:
    """Whether the open view of a place shows the sidebar's method; the board shows several.

    Notes the open view of Explore in the address, as ``views.open_title`` does.

    Args:
        place: address of the page.
    """
    if place != PLACE:
        return True
    title = views.open_title(PLACE, list(ExploreView), Key.VIEW, unnamed=UNNAMED)
    return title != ExploreView.CONFIGURATIONS
