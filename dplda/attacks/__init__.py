"""What an output says about one document: the exact privacy loss of whole runs, and a game of guessing with it."""
