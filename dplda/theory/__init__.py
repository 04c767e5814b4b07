"""What the paper's theorems say in numbers, what holds beside them, and what error to expect."""
