"""The figures and tables of the papers: what they report, what comes out here, and why."""
