"""The method of moments for LDA, un-noised and exact; independent of privacy."""
