"""Results of sweeps on disk."""
