"""Accounting: Gaussian mechanisms, composition, caps on a budget, and what (ε, δ) means to somebody who guesses."""
