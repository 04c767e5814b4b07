"""Configurations: which edges get noise, how it is scaled, and what may be claimed of it."""

from dplda.methods.base.calibration import Calibration as Calibration
from dplda.methods.configurations.registry import REGISTRY as REGISTRY
from dplda.methods.configurations.variant import Configuration as Configuration
