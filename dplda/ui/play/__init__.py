"""The page Play."""
