"""Accounting: Gaussian mechanisms, composition, caps on a budget, and the meaning of (ε, δ).

``odds`` says what (ε, δ) means to somebody who guesses.
"""
