"""Private topics beside noiseless ones: the Topics page."""
