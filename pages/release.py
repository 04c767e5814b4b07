"""Release: topics that may leave, their price, and the ledger."""

from dplda.ui.release import page
from dplda.ui.shell import frame, sidebar

experiment = frame.open_page(
    "Release", "Topics that may leave: charged to a ledger, drawn with exact noise.", page.header
)
sidebar.epsilon()
page.draw(experiment)
