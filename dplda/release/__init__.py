"""Releases: charged to a ledger, drawn with exact noise, kept in one self-explanatory file."""
