"""Start."""

import streamlit as st

st.title("Start")
