"""The papers' figures and tables: their reports, dplda's results, and why they differ."""
