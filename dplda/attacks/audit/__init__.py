"""Empirical audits: lower bounds on a mechanism's privacy loss from runs on two crafted neighbors.

``worst_cases`` and ``minibatches`` hold the worst neighbors of each release, ``audited`` the
attacks of each method. ``attack`` replays a run on both and scores it, ``bits`` reads last bits,
``evidence`` and ``curves`` judge, ``sabotage`` breaks promises on purpose, and ``harness`` combines
them. Only crafted documents are audited.
"""
