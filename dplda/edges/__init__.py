"""What every noised edge of a plan costs and hides, without a corpus: from public numbers and a spectrum."""

from dplda.edges.rehearsal import Spectrum
from dplda.edges.table import EdgeNoise, edge_noise

__all__ = ["EdgeNoise", "Spectrum", "edge_noise"]
