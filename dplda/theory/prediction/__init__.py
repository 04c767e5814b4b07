"""Predicted errors from public numbers alone, and the best method at each setting."""
