"""Dividing a budget among the quantities of a configuration: locks, presets, and the search for the best division."""

from dplda.methods.budget.search import Optimum, Score, grid, optimise
from dplda.methods.budget.split import MINIMUM, Split, allowed, default, equal, give, lock, of, unlock
from dplda.methods.budget.steps import STEPS, from_steps, in_steps

__all__ = [
    "MINIMUM",
    "STEPS",
    "Optimum",
    "Score",
    "Split",
    "allowed",
    "default",
    "equal",
    "from_steps",
    "give",
    "grid",
    "in_steps",
    "lock",
    "of",
    "optimise",
    "unlock",
]
