"""Topics."""

import streamlit as st

st.title("Topics")
