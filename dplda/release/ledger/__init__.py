"""The ledger of a release folder: budgets, what was charged to them, and the files that hold this."""
