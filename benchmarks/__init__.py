"""Side by side: ``python -m benchmarks accuracy``, ``configurations``, ``perplexity``, ``presets`` or ``speed``."""
