"""An empirical audit: what runs on two crafted neighbours prove of a mechanism, whatever it claims.

``worst_cases`` and ``refinement`` know the neighbours that each release has most to do to hide, ``conditional`` asks
the run's own code for one release many times, ``looks`` is the adversary, ``evidence`` the judge, ``sabotage`` what a
judge has to find out, and ``harness`` puts them together: for the gate in the tests, for ``dplda audit`` and for the
page. No documents but the crafted ones are ever audited.
"""
