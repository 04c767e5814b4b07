"""Releases: charged to a ledger, drawn with exact noise, kept as one file that explains itself."""
