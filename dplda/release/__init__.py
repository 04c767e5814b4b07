"""What leaves: charged to a ledger, drawn with exact noise, kept as one file that says everything about itself."""
