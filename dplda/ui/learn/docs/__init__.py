"""The chapters of the documentation: texts of ours, and what is read off registries and docstrings."""
