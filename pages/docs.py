"""Docs: concepts, methods, the Python API, deploying, questions, limits, words."""

from dplda.ui.docs import page
from dplda.ui.shell import frame

frame.open_page("Docs", "How it works, what is proven, how to use it from Python, and how to run it.", page.header)
page.chapter()
