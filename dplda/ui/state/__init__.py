"""What a session has chosen, what the server has computed, and running work."""
