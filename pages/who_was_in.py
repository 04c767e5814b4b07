"""Who was in? Two corpora, one document apart, and what the output of a method says about which it was."""

from dplda.ui.shell import frame
from dplda.ui.who import game, page

experiment = frame.open_page(
    "Who was in?",
    "Two collections, one letter apart. Can the output tell which one it came from?",
    page.header,
)
pair = page.choose_pair()
shown = page.side_by_side(experiment, pair)
game.play(experiment, pair, shown)
