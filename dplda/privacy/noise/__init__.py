"""Drawing noise: keys, layouts, simulated and exact sources."""
