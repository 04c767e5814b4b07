"""Play: one slider, both sides of the bargain, and three doors."""

from dplda.ui.play import page

page.draw_question()
page.draw()
page.draw_doors()
