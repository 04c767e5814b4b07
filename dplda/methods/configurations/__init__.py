"""Configurations: which edges of the flow get noise, how it is calibrated, and what may be claimed.

One file a configuration, with its route, the quantities it releases and its variants; ``REGISTRY`` lists them.
"""

from dplda.methods.configurations.registry import REGISTRY
from dplda.methods.configurations.variant import Calibration, Configuration

__all__ = ["REGISTRY", "Calibration", "Configuration"]
