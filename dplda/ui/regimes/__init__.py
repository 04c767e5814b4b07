"""The Regimes page."""
