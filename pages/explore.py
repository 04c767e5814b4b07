"""Explore: what a method does on these documents at this ε."""

from dplda.ui.explore import place

place.draw()
