"""From a request to its file: checks, the price, the charge, the run, and files that are found again."""
