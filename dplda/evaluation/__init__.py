"""How good topics are: distance to the truth, perplexity of documents held out, coherence."""

from dplda.evaluation.coherence import Coherence, npmi, umass
from dplda.evaluation.distance import ErrorParts, TopicError, error_parts, topic_error
from dplda.evaluation.held_out import HeldOut, hold_out
from dplda.evaluation.perplexity import Completion, Halves, completion, completion_perplexity, halves

__all__ = [
    "Coherence",
    "Completion",
    "ErrorParts",
    "Halves",
    "HeldOut",
    "TopicError",
    "completion",
    "completion_perplexity",
    "error_parts",
    "halves",
    "hold_out",
    "npmi",
    "topic_error",
    "umass",
]
