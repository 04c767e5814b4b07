"""Noise as in the authors' public code: it made pictures, and nothing of it is private."""
