"""Released files used again: as a model of new documents, and in other packages' formats."""
