"""Verdict on a set of noised edges: a configuration, a cut without one, or a leak."""

from collections.abc import Iterable
from dataclasses import dataclass

from dplda.flow import (
    SPECTRAL,
    Flow,
    crossing_sentence,
    leak_sentences,
    leaks,
    minimal_cuts,
    paths,
    spare,
)
from dplda.methods.configurations.variant import Configuration, Scaling, Variant
from dplda.privacy.release import Status

UNPROVEN = "no valid proof covers"
_FINDINGS = {
    Status.PROVEN: "Every path to the output meets noise",
    Status.AS_PUBLISHED: f"Every path meets noise, but {UNPROVEN} the claim",
    Status.NOT_PRIVATE: "Data leaks along the dashed path",
    None: "Every path would meet noise, but no configuration puts it there",
}


@dataclass(frozen=True, slots=True)
class EdgeVerdict:
    """What may be claimed of noise on some edges; ``status`` is None for a cut that no configuration puts noise on."""

    edges: tuple[str, ...]
    configuration: str
    leak: tuple[str, ...]
    status: Status | None
    words: str
    flow: Flow = SPECTRAL

    @property
    def finding(self) -> str:
        """The finding as a clause, for the graph that draws these edges."""
        return _FINDINGS[self.status]


def judge_edges(
    chosen: Iterable[str], registry: dict[str, Configuration], scaling: Scaling | None = None
) -> EdgeVerdict:
    """The verdict on noise on these edges, scaled as asked or else as recommended; a ``ValueError`` for no edge."""
    wanted = set(chosen)
    edges = SPECTRAL.in_order(wanted)
    for name, configuration in registry.items():
        if wanted == set(configuration.edges):
            variant = (scaling and configuration.variants.get(scaling)) or configuration.recommended
            return EdgeVerdict(edges, name, (), variant.status, _in_force(configuration, variant))
    if leaks(edges):
        return _leaking(edges, SPECTRAL)
    words = f"{_cut_in_words(edges)} The nearest configuration: {_nearest(wanted, registry)}."
    return EdgeVerdict(edges, "", (), None, words)


def judge_without_edge(flow: Flow, edge: str | None, status: Status) -> EdgeVerdict:
    """The verdict on a method's own edges, or the leak if one lost its noise; a ``ValueError`` for no edge."""
    noised = flow.in_order(set(flow.noised) - {edge})
    if leaks(noised, flow):
        return _leaking(noised, flow)
    n, extra = len(paths(flow)), spare(noised, flow)
    needed = "that edge" if len(noised) == 1 else "each of these edges"
    spared = f"{' or '.join(extra)} would not need noise" if extra else f"{needed} needs its noise"
    counted = "The one path" if n == 1 else f"Each of the {n} paths"
    words = f"{counted} from the documents to the output crosses an edge with noise, and {spared}."
    return EdgeVerdict(noised, "", (), status, words, flow)


def _leaking(edges: tuple[str, ...], flow: Flow) -> EdgeVerdict:
    leaking = leaks(edges, flow)
    more = len(leaking) - 1
    others = f" {more} more {'path leaks' if more == 1 else 'paths leak'}." if more else ""
    said = leak_sentences(edges, flow)[0]
    words = f"Not private: {said[:1].lower()}{said[1:]}{others}"
    return EdgeVerdict(edges, "", leaking[0], Status.NOT_PRIVATE, words, flow)


def _in_force(known: Configuration, variant: Variant) -> str:
    meaning = known.label.split(" · ")[-1]
    words = (
        f"These edges are a cut: {crossing_sentence(known.edges)}. This is {known.title}, {meaning}"
    )
    if variant.status is Status.PROVEN:
        return f"{words}."
    return f"{words}. {variant.scaling.capitalize()}, {UNPROVEN} its noise, so the cut alone proves nothing."


def _cut_in_words(edges: tuple[str, ...]) -> str:
    number = next((i for i, cut in enumerate(minimal_cuts(), start=1) if cut == edges), None)
    listed = " + ".join(edges)
    if number is not None:
        return (
            f"These edges ({listed}) are a cut, number {number} of the {len(minimal_cuts())} minimal ones,"
            " but no configuration puts its noise there."
        )
    extra = spare(edges)
    return (
        f"These edges are a cut with more noise than it needs: {' or '.join(extra)} could do without. No configuration"
        " puts its noise there."
    )


def _nearest(wanted: set[str], registry: dict[str, Configuration]) -> str:
    """The configuration that meets the paths at nearly the same steps; ties go to the registry's order."""

    def apart(configuration: Configuration) -> int:
        return sum(abs(_met(wanted, path) - _met(configuration.edges, path)) for path in paths())

    best = min(registry.values(), key=apart)
    return f"{best.title} ({', '.join(best.edges)})"


def _met(edges: Iterable[str], path: tuple[str, ...]) -> int:
    return min(path.index(edge) for edge in edges if edge in path)
