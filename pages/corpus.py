"""Corpus."""

import streamlit as st

st.title("Corpus")
