"""Gaps in the published proofs, each as a small computation with a picture and a card."""
