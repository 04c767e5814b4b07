"""Released files: what they hold, how they are written and read, and how their owner arranges them."""

SUFFIX = ".dplda.json"
"""Ending of the name of a released file."""
