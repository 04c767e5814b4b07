"""Known noise filtered out of releases: post-processing, which costs no privacy."""
