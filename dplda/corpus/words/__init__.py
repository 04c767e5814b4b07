"""From text to words, and from words to a vocabulary."""
