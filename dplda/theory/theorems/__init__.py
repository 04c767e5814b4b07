"""The paper's bounds, conditions and sensitivities in numbers, and the gaps in its proofs."""
