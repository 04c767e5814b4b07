"""Where noise is drawn: keys, layouts, simulated and exact sources."""
