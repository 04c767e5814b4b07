"""A private run as one self-contained page for readers without the app."""
