"""Differential privacy: adjacency, sensitivity, accounting, noise and releases.

Nothing here depends on topic models.
"""
