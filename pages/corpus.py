"""Corpus: where the documents come from, what came in, and what they look like."""

from dplda.ui.corpus import corpus_choice, corpus_view
from dplda.ui.shell import frame

experiment = frame.open_page(
    "Corpus", "Where the documents come from, what came in, and what they look like.", corpus_view.header
)
corpus_choice.choose(experiment.corpus.name)
corpus_view.pictures(experiment)
corpus_view.overview(experiment)
corpus_view.intake(experiment.corpus)
