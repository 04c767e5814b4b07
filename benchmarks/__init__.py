"""``python -m benchmarks`` and the name of one; ``-h`` lists them, and ``screenshots`` is for looking at the pages."""
