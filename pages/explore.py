"""Explore: what a method does on these documents at this ε."""

from dplda.ui.explore import corpus_view, groups_view, noise_view, topics_view
from dplda.ui.explore.bounds import bounds_view
from dplda.ui.explore.configurations import board_view
from dplda.ui.explore.open_view import UNNAMED, ExploreView
from dplda.ui.shell import frame
from dplda.ui.shell.frame import View
from dplda.ui.state import link
from dplda.ui.state.keys import Key

frame.open_place(
    "Explore",
    "What does each configuration do, on these documents, at this ε?",
    [
        View(
            ExploreView.CONFIGURATIONS,
            board_view.draw,
            board_view.header,
            (Key.BOARD_PICTURE, Key.BOARD_FORM, Key.BOARD_BESIDE, Key.BOARD_TOPIC),
            board_view.has_epsilon,
        ),
        View(ExploreView.TOPICS, topics_view.draw, topics_view.header, (Key.LOOK,)),
        View(
            ExploreView.GROUPS,
            groups_view.draw,
            frame.describe_method,
            (Key.GROUPS_BY, Key.GROUPS_EPSILON),
            complete=groups_view.with_shares,
        ),
        View(ExploreView.NOISE, noise_view.draw, noise_view.header, (link.EDGES_KEY,)),
        View(ExploreView.BOUNDS, bounds_view.draw, frame.describe_method),
        View(
            ExploreView.DOCUMENTS, corpus_view.draw, corpus_view.header, has_epsilon=lambda: False
        ),
    ],
    unnamed_view=UNNAMED,
)
