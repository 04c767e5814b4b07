"""What a session has chosen, what the server has worked out, and the work under way."""
