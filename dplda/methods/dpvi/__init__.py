"""Variational inference in minibatches, private and not: the rival of the spectral method."""
