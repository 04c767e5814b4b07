"""What an output reveals about one document: exact privacy loss of whole runs, and a guessing game."""
