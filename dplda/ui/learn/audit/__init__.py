"""The audit of Attack it."""
