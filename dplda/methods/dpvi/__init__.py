"""Baselines for the spectral method: variational inference, private and not, and the unigram model."""
