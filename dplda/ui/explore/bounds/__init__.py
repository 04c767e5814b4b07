"""The view Bounds: what theorems promise, and what error to expect."""
