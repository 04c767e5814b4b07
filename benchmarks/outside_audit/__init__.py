"""The audit of this package by the methods of others: Re:cord-play, OpenDP's and dp-accounting's checkers.

``neighbors`` holds pairs of datasets, ``cases`` what is run on them, ``record_play`` records and replays, ``outside``
asks the other packages, ``primitives`` samples the noise, ``controls`` breaks runs on purpose, ``page`` writes what
was found. ``command`` puts them together.
"""
