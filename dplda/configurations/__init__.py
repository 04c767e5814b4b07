"""Configurations: which edges of the flow get noise, how it is calibrated, and what may be claimed.

``REGISTRY`` is the list that pages and the command line show.
"""

from dplda.configurations.adaptive import ADAPTIVE
from dplda.configurations.route import Configuration

REGISTRY: dict[str, Configuration] = {configuration.name: configuration for configuration in (ADAPTIVE,)}

__all__ = ["REGISTRY", "Configuration"]
