"""Flow graphs."""
