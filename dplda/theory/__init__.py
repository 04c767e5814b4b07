"""What the paper's theorems state, and what error to expect."""
