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
    """The flow graph; ``edges`` are the names of those with noise, separated by spaces."""

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
        if unknown := set(self.edges.split()) - known:
            raise InputError(
                "edges", f"of {' '.join(SPECTRAL.edges)}, with spaces", " ".join(sorted(unknown))
            )

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Judge the edges and draw them."""
        chosen, n_paths = self.edges.split(), len(paths())
        leaking = len(leaks(chosen))
        numbers = {
            "leaks": leaking,
            "paths": n_paths,
            "stopped": n_paths - leaking,
            "edges_noised": len(chosen),
            "cuts": len(minimal_cuts()),
        }
        return Picture(numbers, figures.flow_graph(judge_edges(chosen, REGISTRY)))
