"""Quality of topics: distance to the truth, held-out perplexity, and coherence."""

from dplda.evaluation.coherence import npmi
from dplda.evaluation.distance import topic_error
from dplda.evaluation.held_out import hold_out
from dplda.evaluation.perplexity import Halves, completion, completion_perplexity, halves

__all__ = [
    "Halves",
    "completion",
    "completion_perplexity",
    "halves",
    "hold_out",
    "npmi",
    "topic_error",
]
