"""From a corpus and a plan to topics: one chain, for the fit and its dry run."""
