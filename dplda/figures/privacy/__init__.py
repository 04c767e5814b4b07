"""Pictures of privacy: accounting, attacks and the ledger."""
