"""Figures of lessons in HTML: the clock and the tally of a class, and rounds of the game."""
