"""Start: what this is, and a live result."""

from dplda.ui import comparison, frame, start

experiment = frame.open_page(
    "Topics under privacy", "See, in a browser, what differential privacy costs a topic model."
)
start.introduction()
start.epsilon()

found = comparison.compare(experiment)
comparison.headline(found)
comparison.errors(experiment, found)
comparison.words(experiment, found, n_shown=5, key="start.words")
start.doors()
