"""Variational inference over documents: blocks of them, their sums, and passes without noise."""
