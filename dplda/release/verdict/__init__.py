"""The verdict before a release: whether readable topics are to be expected, and what would help."""
