"""A flow from corpus to output as data: steps, arrows, and the arrows that carry noise."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import cast

from dplda.core import assets, checks
from dplda.core.errors import InputError

SOURCE = "corpus"
"""Name of every flow's first step."""

SINK = "output"
"""Name of every flow's last step."""


class Side(StrEnum):
    """A side of a step's box in a drawing."""

    ABOVE = "above"
    BELOW = "below"
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Step:
    """A node of a flow; a run may skip it if it is ``optional``.

    It stands at ``x`` from the corpus (0) to the output, and at ``y`` across (0 to 2). Small
    pictures write its ``symbol``.

    Attributes:
        name: unique in its flow; arrows refer to it.
        title: as it is shown.
        x: place from the corpus (0) to the output.
        y: place across, 0 to 2.
        optional: whether a run may skip it.
        symbol: written in small pictures; "" for none.
    """

    name: str
    title: str
    x: float
    y: float
    optional: bool = False
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Layout of an arrow, in units of steps.

    Attributes:
        leaves, enters: offset of its start and end from the middle of the step's side.
        marker: share of the way at which its marker sits.
        out, into: side of the first and of the last step.
        lane: position across, in the figure's units, of an arrow that leaves and enters on the same
            side.
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
        start: name of the step that it leaves.
        end: name of the step that it leads to.
        carries, meaning: what flows along it, in a few words and as a sentence for readers who
            avoid equations.
        equation: the formula in plain characters.
        road: how sentences name a path through it; empty where that distinguishes no path.
        mark, note: letter in its marker (empty for its name), and the text next to it.
        optional: whether a run may skip it.
        place: where a picture draws it.
    """

    edge: str
    start: str
    end: str
    carries: str
    meaning: str
    equation: str
    road: str = ""
    mark: str = ""
    note: str = ""
    optional: bool = False
    place: Place = field(default=Place())

    @property
    def label(self) -> str:
        """The text in its marker and in sentences."""
        return self.mark or str(self.edge)


@dataclass(frozen=True, slots=True)
class Flow:
    """Steps and arrows from ``SOURCE`` to ``SINK``; arrows may lead back.

    ``noised`` lists the edges that carry noise, in order.

    Attributes:
        steps: the nodes.
        arrows: the edges; they may lead back.
        noised: names of the edges that carry noise, in order.

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

    def __post_init__(self) -> None:
        """Refuse members that are not tuples of steps, of arrows, or of names."""
        _require_tuple_of(Step, "steps", self.steps)
        _require_tuple_of(Arrow, "arrows", self.arrows)
        _require_tuple_of(str, "noised", self.noised)

    @property
    def edges(self) -> tuple[str, ...]:
        """Names of all edges, in order."""
        return tuple(arrow.edge for arrow in self.arrows)

    def arrow(self, edge: str) -> Arrow:
        """The arrow of this name; a ``ValueError`` where there is none."""
        checks.text("edge", edge)
        for arrow in self.arrows:
            if arrow.edge == edge:
                return arrow
        raise InputError("edge", f"one of {', '.join(self.edges)}", f"{edge:.20}")

    def in_order(self, edges: Iterable[str]) -> tuple[str, ...]:
        """Edges in the order of the flow; a ``ValueError`` for a name that is no edge."""
        names = _names_of(edges)
        for name in names:
            self.arrow(name)
        return tuple(edge for edge in self.edges if edge in names)


def _require_tuple_of(kind: type, name: str, members: object) -> None:
    """Refuse a field of a flow that is not a tuple of members of one kind.

    Raises:
        InputError: it is another type, or a member is of another kind.
    """
    if isinstance(members, tuple):
        are_of_kind = all(isinstance(member, kind) for member in members)
        if are_of_kind:
            return
    requirement = f"a tuple of {kind.__name__}"
    raise InputError(name, requirement, f"a value of type {type(members).__name__}")


def _names_of(edges: Iterable[str]) -> frozenset[str]:
    """Names of edges without repetition; names that the flow lacks are not refused.

    Raises:
        InputError: they are one text, something else than an iterable of texts, or an array of
            another dimension than 1.
    """
    members: object = edges
    names = set()
    refusal = InputError(
        "edges", "a set of names of edges", f"a value of type {type(edges).__name__}"
    )
    is_flat = getattr(members, "ndim", 1) == 1
    if isinstance(members, str) or not isinstance(members, Iterable) or not is_flat:
        raise refusal
    for member in members:  # one after the other: a range may be longer than memory
        if not isinstance(member, str):
            raise refusal
        names.add(member)
    return frozenset(names)


def read(name: str, like: Flow | None = None, numbers: Mapping[str, int] | None = None) -> Flow:
    """Read a flow from ``assets/flows``; it has no edge with noise where the file lists none.

    Args:
        name: of its file, without the ending.
        like: flow from which arrows of the same name take whatever the file does not say about
            them.
        numbers: values for the placeholders in notes, by name.

    Raises:
        FileNotFoundError: there is no such file.
    """
    flow_path = assets.folder() / "flows" / f"{name}.toml"
    flow_table = tomllib.loads(flow_path.read_text("utf-8"))
    known_arrows: dict[str, Arrow] = {}
    if like is not None:
        known_arrows = {str(arrow.edge): arrow for arrow in like.arrows}
    arrows = [
        _read_arrow(edge, arrow_fields, known_arrows.get(edge), numbers or {})
        for edge, arrow_fields in flow_table["arrows"].items()
    ]
    steps = [Step(step, **step_fields) for step, step_fields in flow_table["steps"].items()]
    noised_edges = flow_table.get("noised", ())
    return Flow(tuple(steps), tuple(arrows), tuple(noised_edges))


def _read_arrow(
    edge: str,
    arrow_fields: Mapping[str, object],
    known_arrow: Arrow | None,
    numbers: Mapping[str, int],
) -> Arrow:
    """Read one arrow of a flow's file.

    Args:
        edge: its name.
        arrow_fields: what the file says about it.
        known_arrow: arrow from which it takes the other fields; None for their defaults.
        numbers: values for the placeholders in its note, by name.
    """
    fields = dict(arrow_fields)
    if "place" in fields:
        fields["place"] = _read_place(cast("Mapping[str, object]", fields["place"]))
    if "note" in fields:
        fields["note"] = str(fields["note"]).format_map(numbers)
    make_arrow: Callable[..., Arrow] = partial(Arrow, edge)
    if known_arrow is not None:
        make_arrow = partial(replace, known_arrow)
    return make_arrow(**fields)


def _read_place(place_fields: Mapping[str, object]) -> Place:
    """Make the layout of an arrow from what a flow's file says about it, with defaults."""
    fields = dict(place_fields)
    for end in ("out", "into"):
        if end in fields:
            fields[end] = Side(str(fields[end]))
    make_place: Callable[..., Place] = Place
    return make_place(**fields)
