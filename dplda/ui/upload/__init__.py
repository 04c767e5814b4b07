"""Upload: a file, how to read it, who may see it, and which words to count."""
