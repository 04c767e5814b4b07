"""The Privacy page."""
