"""The method of moments for LDA, un-noised and exact; knows nothing of privacy."""
