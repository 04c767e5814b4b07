"""The view Configurations: the paper's four side by side."""
