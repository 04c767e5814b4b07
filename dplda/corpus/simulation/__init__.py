"""Corpora that are drawn from the LDA model."""
