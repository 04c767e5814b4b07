"""Everything that finds topics; ``registry`` lists it."""
