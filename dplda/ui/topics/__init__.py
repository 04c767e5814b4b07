"""Private topics beside noiseless ones: the Topics page, and Start's live result."""
