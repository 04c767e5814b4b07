"""Attacks: exact privacy loss of whole runs, and a guessing game.

Both measure how much an output reveals about one document.
"""
