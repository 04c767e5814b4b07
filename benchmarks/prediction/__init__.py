"""What the predictor of every private method is fitted to, how, and how far off it is where nothing was fitted."""
