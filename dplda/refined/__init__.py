"""Private topics for real text: full-batch variational steps, each released once and shrunk by its known noise."""
