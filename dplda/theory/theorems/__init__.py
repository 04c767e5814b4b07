"""The paper's bounds, conditions and sensitivities in numbers."""
