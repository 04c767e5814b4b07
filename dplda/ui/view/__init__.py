"""The public view: one released file, in a process that can read nothing else."""
