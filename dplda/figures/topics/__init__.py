"""Figures of topics and their words."""
