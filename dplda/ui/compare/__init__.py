"""Compare: which method to use."""
