"""Corpora drawn from the LDA model."""
