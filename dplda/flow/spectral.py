"""The flow of the spectral method, and the names of its edges."""

from enum import StrEnum

from dplda.flow.graph import read


class Edge(StrEnum):
    """An edge of the spectral flow, named as in the paper.

    Example:
        >>> from dplda.flow import Edge
        >>> Edge("e8") is Edge.E8
        True
        >>> f"noise on {Edge.E8}"
        'noise on e8'
    """

    E0 = "e0"
    E1 = "e1"
    E2 = "e2"
    E3 = "e3"
    E4 = "e4"
    E5 = "e5"
    E6 = "e6"
    E7 = "e7"
    E8 = "e8"
    E9 = "e9"


SPECTRAL = read("spectral")
"""No edge carries noise here: configurations decide that."""
