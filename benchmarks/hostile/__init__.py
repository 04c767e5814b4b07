"""Inputs that nobody would write on purpose, tried on every door of dplda: files, places, parameters, circumstances."""
