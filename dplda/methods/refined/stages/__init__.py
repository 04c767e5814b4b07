"""Stages of a refinement.

In the order of a run: word counts, prior test, spectral start, variational steps, evidence, result.
"""
