"""Results of refinement besides topics."""
