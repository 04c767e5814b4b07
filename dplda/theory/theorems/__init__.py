"""What the paper states, in numbers: bounds, conditions, sensitivities, and where its proofs fail."""
