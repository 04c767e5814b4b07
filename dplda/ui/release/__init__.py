"""The page Release: what would leave, what it costs, and what has been spent."""
