"""A flow from corpus to output as data: steps, arrows, and which arrows carry noise."""

from dataclasses import dataclass, field
from enum import StrEnum

SOURCE, SINK = "corpus", "output"
"""Names of the first and the last step of every flow."""


class Side(StrEnum):
    """Of a step's box in a drawing.

    Example:
        >>> from dplda.flow import Side
        >>> Side("left") is Side.LEFT
        True
    """

    ABOVE = "above"
    BELOW = "below"
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Step:
    """A node of a flow.

    Attributes:
        name: as arrows refer to it.
        title: for people.
        x: place from the corpus (0) onwards to the output.
        y: place across, 0 to 2.
        optional: whether a run may go without it.

    Example:
        >>> from dplda.flow import SPECTRAL
        >>> [step.title for step in SPECTRAL.steps if step.y == 0]
        ['Pair moment M₂', 'Spectrum U, Σ', 'Unwhitening W†']
    """

    name: str
    title: str
    x: float
    y: float
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """How an arrow is drawn, in units of steps.

    Attributes:
        leaves: how far from the middle of its first step's side it starts.
        enters: how far from the middle of its last step's side it ends.
        marker: share of the way at which its marker sits.
        out: side of the first step.
        into: side of the last step.
        lane: place across, as the figure counts it, of an arrow that leaves and enters on the same side.

    Example:
        >>> from dplda.flow import Place
        >>> Place().marker
        0.5
    """

    leaves: float = 0.0
    enters: float = 0.0
    marker: float = 0.5
    out: Side = Side.BELOW
    into: Side = Side.ABOVE
    lane: float = 0.0


@dataclass(frozen=True, slots=True)
class Arrow:
    """One edge between two named steps.

    Attributes:
        edge: its name, as releases give it.
        start: the step that it leaves.
        end: the step that it enters.
        carries: what flows along it, in a few words.
        meaning: the same in a sentence for somebody who does not read equations.
        equation: the formula in plain characters.
        latex: the formula in LaTeX, without dollar signs.
        road: what a path that takes it goes by, for sentences; empty where that tells no path from another.
        mark: what stands in its marker: a letter, of what flows along it; empty for its name.
        note: what stands beside its marker; often empty.
        optional: whether a run may go without it.
        place: how it is drawn.

    Example:
        >>> from dplda.flow import SPECTRAL
        >>> arrow = SPECTRAL.arrow("e4")
        >>> print(f"{arrow.start} → {arrow.end}: {arrow.carries}, {arrow.equation}")
        spectrum → tensor: the whitening W, W = U Σ^(−1/2)
    """

    edge: str
    start: str
    end: str
    carries: str
    meaning: str
    equation: str
    latex: str
    road: str = ""
    mark: str = ""
    note: str = ""
    optional: bool = False
    place: Place = field(default=Place())

    @property
    def label(self) -> str:
        """What stands in its marker and in sentences."""
        return self.mark or str(self.edge)


@dataclass(frozen=True, slots=True)
class Flow:
    """Steps and arrows from ``SOURCE`` to ``SINK``; arrows may lead back.

    Attributes:
        steps: the nodes.
        arrows: the edges, each with a name of its own.
        noised: names of the edges that carry noise, in the order of ``arrows``.

    Example:
        >>> from dplda import flow
        >>> from dataclasses import replace
        >>> adaptive = replace(flow.SPECTRAL, noised=("e2", "e6"))
        >>> flow.is_cut(adaptive.noised, adaptive)
        True
    """

    steps: tuple[Step, ...]
    arrows: tuple[Arrow, ...]
    noised: tuple[str, ...] = ()

    @property
    def edges(self) -> tuple[str, ...]:
        """Names of all edges, in order."""
        return tuple(arrow.edge for arrow in self.arrows)

    def arrow(self, edge: str) -> Arrow:
        """The arrow of a name.

        Raises:
            ValueError: a name that is no edge.
        """
        for arrow in self.arrows:
            if arrow.edge == edge:
                return arrow
        raise ValueError(f"{edge} is no edge of this flow, whose edges are {', '.join(self.edges)}")

    def in_order(self, edges: set[str]) -> tuple[str, ...]:
        """Some edges in the order of the flow.

        Raises:
            ValueError: a name that is no edge.
        """
        for edge in edges:
            self.arrow(edge)
        return tuple(edge for edge in self.edges if edge in edges)
