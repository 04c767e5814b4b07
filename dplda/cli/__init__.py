"""The ``dplda`` command line, one file a command."""
