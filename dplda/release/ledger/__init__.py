"""The ledger of a release folder: budgets, their charges, and the files that hold both."""

from dplda.release.ledger.ledger import Ledger, LedgerEntry, LedgerError

__all__ = ["Ledger", "LedgerEntry", "LedgerError"]
