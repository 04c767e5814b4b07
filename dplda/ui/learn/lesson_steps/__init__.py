"""A step of a lesson: where it is, how it is drawn and answered."""
