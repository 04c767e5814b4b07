"""Figures of errors: measured, predicted and bounded."""
