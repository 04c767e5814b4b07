"""Learn: lessons, attacks, proofs, docs."""
