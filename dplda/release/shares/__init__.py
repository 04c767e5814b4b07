"""Releases of topic shares by group: a table of their own, beside the topics that they are of.

``request`` freezes what is asked for, ``perform`` charges it and draws exact noise, ``shares_file``
is the file, and ``price`` says beforehand what it costs and which groups it can tell apart.
"""
