"""Records of the ledger: an entry, the table and file that hold entries, and what entries add up to."""
