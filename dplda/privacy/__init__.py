"""Differential privacy: adjacency, sensitivity, accounting, noise and releases; independent of topic models."""
