"""Pictures of topics and their words."""
