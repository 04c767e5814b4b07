"""Audit: runs on two neighbours, and what they prove of a method, whatever it claims."""

from dplda.ui.audit import page
from dplda.ui.shell import frame, glossary

frame.open_page(
    "Audit",
    "Attack a method where it is weakest, break it on purpose, and watch it be caught.",
    page.header,
)
page.show()
page.boundary()
glossary.popover("audit epsilon delta adjacency sensitivity release")
