"""The server: Streamlit's, with headers, sessions, downloads and a log that keep documents in."""
