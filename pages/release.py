"""Release: topics that may leave, their price, and the ledger."""

from dplda.ui.release import page
from dplda.ui.shell import frame

experiment = frame.open_page("Release", "How do I get topics out of documents that I must protect?", page.header)
page.draw(experiment)
