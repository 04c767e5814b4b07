"""The view Lessons."""
