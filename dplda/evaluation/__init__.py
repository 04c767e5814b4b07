"""Quality of topics: distance to the truth, held-out perplexity, and coherence."""

from dplda.evaluation.coherence import npmi
from dplda.evaluation.distance import topic_error
from dplda.evaluation.held_out import hold_out
from dplda.evaluation.perplexity import Halves as Halves
from dplda.evaluation.perplexity import completion as completion
from dplda.evaluation.perplexity import completion_perplexity
from dplda.evaluation.perplexity import halves as halves

__all__ = ["completion_perplexity", "hold_out", "npmi", "topic_error"]
