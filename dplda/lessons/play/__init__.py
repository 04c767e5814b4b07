"""The living picture of Play: its shipped numbers, and the page that holds it without a server."""
