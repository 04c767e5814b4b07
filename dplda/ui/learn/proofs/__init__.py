"""The view Where proofs fail."""
