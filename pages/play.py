"""Play: one slider, both sides of the bargain, and three links to other places."""

from dplda.ui.play import page

page.draw_question()
page.draw()
page.draw_place_links()
