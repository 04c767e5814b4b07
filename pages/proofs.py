"""Proofs: what the paper proves, and what it does not."""

from dplda.ui.proofs import page
from dplda.ui.shell import frame

frame.open_page(
    "What is proven",
    "What the paper proves, and what it does not. Each gap in plain words, with an example worked out live.",
    page.header,
)
page.show()
