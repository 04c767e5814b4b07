"""Plan of a run before it reads a document: constants, released quantities, shares, forecast."""
