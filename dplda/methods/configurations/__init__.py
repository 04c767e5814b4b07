"""Configurations: which edges get noise, how it is scaled, and what may be claimed; ``REGISTRY`` lists them."""

from dplda.methods.configurations.registry import REGISTRY
from dplda.methods.configurations.variant import Calibration, Configuration

__all__ = ["REGISTRY", "Calibration", "Configuration"]
