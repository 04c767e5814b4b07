"""Stages of a refinement, in the order of a run: word counts, prior test, spectral start, variational steps, evidence."""
