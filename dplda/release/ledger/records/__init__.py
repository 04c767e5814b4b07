"""Records of the ledger: an entry, the table and the files that hold entries."""
