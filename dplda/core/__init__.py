"""Types, checks, errors, threads, processes, safe files and sums over documents, for all rooms."""
