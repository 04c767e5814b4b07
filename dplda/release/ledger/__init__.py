"""The ledger of a release folder: budgets, what was charged to them, and the files that hold this."""

from dplda.release.ledger.ledger import Ledger, LedgerEntry, LedgerError

__all__ = ["Ledger", "LedgerEntry", "LedgerError"]
