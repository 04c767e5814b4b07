"""An empirical audit: what runs on two crafted neighbours prove of a mechanism, whatever it claims.

``worst_cases``, ``refinement`` and ``minibatches`` know the neighbours that each release has most to do to hide, and
``audited`` which of them are of which method; ``attack`` replays a run on both and scores its draws, ``bits`` reads the
last bits; ``evidence`` is the judge, with ``curves`` where documents are sampled; ``sabotage`` is what a judge has to
find out; ``harness`` puts them together: for the gate in the tests, for ``dplda audit`` and for the page. No documents
but the crafted ones are ever audited.
"""
