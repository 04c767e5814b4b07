"""Choices of a session, results of the server, and running work."""
