"""The view Bounds: theorems with numbers, Table 1, and the symbols that they share with Noise."""
