"""The dashboard: the only part that draws with Streamlit."""
