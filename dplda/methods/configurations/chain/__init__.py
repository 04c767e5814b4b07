"""From a corpus and a plan to topics: one chain, for fits and dry runs."""
