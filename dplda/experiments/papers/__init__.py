"""The papers' figures and tables: what they report, what dplda finds, and why they differ."""
