"""``python -m benchmarks`` and ``accuracy``, ``configurations``, ``presets``, ``private-utility`` or ``speed``."""
