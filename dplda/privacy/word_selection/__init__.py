"""Private selection of words: the theorem with its thresholds, and the selection itself."""
