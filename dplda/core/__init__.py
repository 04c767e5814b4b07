"""What every other folder stands on: types, checks, errors, threads, processes, safe files, sums."""
