"""The Release page: what would be released, what it costs, and what has been spent."""
