"""The flow from documents to topics with noise on some edges, and its leaks."""

from dataclasses import dataclass
from typing import ClassVar

from dplda import figures
from dplda.core.errors import InputError
from dplda.core.types import Report
from dplda.flow import SPECTRAL, leaks, minimal_cuts, paths
from dplda.lessons.views.picture import Picture, PictureView
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.verdict import judge_edges


@dataclass(frozen=True)
class FlowOfNoise(PictureView):
    """The flow graph; ``edges`` are the names of those with noise, separated by spaces.

    Attributes:
        edges: names of the edges with noise, separated by spaces.
    """

    number_meanings: ClassVar = {
        "leaks": "paths without noise",
        "paths": "all paths",
        "stopped": "paths with noise",
        "edges_noised": "edges with noise",
        "cuts": "minimal sets of edges that stop every path",
    }

    edges: str = ""

    def __post_init__(self) -> None:
        known = set(SPECTRAL.edges)
        unknown = set(self.edges.split()) - known
        if unknown:
            limit = f"of {' '.join(SPECTRAL.edges)}, with spaces"
            raise InputError("edges", limit, " ".join(sorted(unknown)))

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Count paths, leaks and minimal cuts, and draw the graph with its verdict.

        No seed is used.
        """
        noised_edges = self.edges.split()
        n_paths = len(paths())
        n_leaks = len(leaks(noised_edges))
        numbers = {
            "leaks": n_leaks,
            "paths": n_paths,
            "stopped": n_paths - n_leaks,
            "edges_noised": len(noised_edges),
            "cuts": len(minimal_cuts()),
        }
        return Picture(numbers, figures.flow_graph(judge_edges(noised_edges, REGISTRY)))
