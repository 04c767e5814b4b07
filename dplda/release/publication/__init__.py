"""Handouts with a release: a card, a page for data protection, a record."""
