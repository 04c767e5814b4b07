"""Released files: their contents, how they are written and read, and how owners arrange them."""

SUFFIX = ".dplda.json"
"""Ending of the name of a released file."""
SHARES_SUFFIX = ".shares.json"
"""Ending of the name of a released table of topic shares."""
