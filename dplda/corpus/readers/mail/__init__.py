"""One mail message: its author, and the text that its author wrote."""
