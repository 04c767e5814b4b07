"""Experiments as data: settings, sweeps, the papers' figures, run cards and scripts."""
