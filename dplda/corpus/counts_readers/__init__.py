"""Readers for files of word counts."""
