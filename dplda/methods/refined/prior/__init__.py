"""Public knowledge: a table of topics' words, and its makers."""
