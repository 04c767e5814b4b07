"""The public view of one released file, which ``dplda view`` starts in a process of its own."""

from dplda.ui.view import page

page.draw()
