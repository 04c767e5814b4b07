"""Compare: which method to use."""

from dplda.ui.compare import place

place.draw()
