"""Play: one slider, both sides of the bargain, and three doors."""

from dplda.ui.play import page

page.question()
page.draw()
page.doors()
