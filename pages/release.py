"""Release: topics of documents that must be protected, in six steps."""

from dplda.ui.release import page

page.draw()
