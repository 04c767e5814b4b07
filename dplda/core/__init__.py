"""What every other folder uses: types, checks, errors, threads, processes, safe files, sums over documents."""
