"""Learn: how it works, and whether to trust it."""

from dplda.ui.learn import place

place.draw()
