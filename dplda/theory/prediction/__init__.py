"""Predicted errors, to first order and without a fitted constant, and the best method at each setting."""
