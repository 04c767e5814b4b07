"""The embedded corpus made anew: docstrings of the packages installed here, to the counts that the product ships."""
