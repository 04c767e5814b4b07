"""Commands for whoever runs a server for others."""
