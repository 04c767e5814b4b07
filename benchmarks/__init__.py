"""Side-by-side measurements: ``python -m benchmarks accuracy`` and ``python -m benchmarks speed``."""
