"""From a request to its file: checks, price, charge and run, and files that are found again."""
