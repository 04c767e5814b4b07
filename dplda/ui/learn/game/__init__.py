"""The game of Attack it."""
