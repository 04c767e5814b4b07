"""Membership inference against a finished topic table of any package.

``table`` holds the topics and ``readers`` read them, ``arrays`` those that NumPy, SciPy and
BERTopic saved. ``scores`` are likelihood ratios of documents, ``one_run`` turns right guesses about
pairs of documents into a lower bound on ε, and ``audit`` puts them together; ``description`` says
what was found.
"""
