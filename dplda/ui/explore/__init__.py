"""Explore: what a method does on these documents at this ε."""
