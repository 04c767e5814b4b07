"""Start: what this is, and a live result."""

from dplda.ui.shell import frame
from dplda.ui.start import page
from dplda.ui.topics import comparison

experiment = frame.open_page(
    "Topics under privacy", "See, in a browser, what differential privacy costs a topic model."
)
page.introduction()
page.epsilon()

found = comparison.compare(experiment)
comparison.headline(found)
comparison.errors(experiment, found)
comparison.words(experiment, found, n_shown=5, key="start.words")
page.flow(experiment)
page.doors()
