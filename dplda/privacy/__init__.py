"""Differential privacy: adjacency, sensitivities, accounting, noise and releases; knows nothing of topics."""
