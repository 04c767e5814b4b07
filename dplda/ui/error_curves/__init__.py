"""The Error curves page."""
