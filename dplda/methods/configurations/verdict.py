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
from dplda.methods.base.calibration import Scaling
from dplda.methods.configurations.variant import Configuration, Variant
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
    """Verdict on noise that stands on some edges of a flow.

    Attributes:
        edges: the noised edges, in the flow's order.
        configuration: name of the configuration that puts its noise there; empty without one.
        leak: edges of one path from the documents to the output that meets no noise; empty if
            there is none.
        status: what may be claimed; None for a cut that no configuration puts noise on.
        words: the verdict in sentences.
        flow: the flow whose edges they are.
    """

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
    noised_edges: Iterable[str],
    registry: dict[str, Configuration],
    scaling: Scaling | None = None,
) -> EdgeVerdict:
    """Judge noise on edges of the spectral flow: a configuration, a leak, or another cut.

    A configuration has its own status; a leak names what gets through; for any other set of edges
    the verdict has no status and names the nearest configuration. A configuration comes before a
    leak.

    Args:
        noised_edges: names of edges, in any order.
        registry: configurations by name.
        scaling: of the noise, where the configuration has it; else the recommended one.

    Raises:
        ValueError: the flow has no such edge.
    """
    edge_set = set(noised_edges)
    edges = SPECTRAL.in_order(edge_set)
    for configuration_name, configuration in registry.items():
        if edge_set == set(configuration.edges):
            variant = configuration.recommended
            if scaling and scaling in configuration.variants:
                variant = configuration.variants[scaling]
            explanation = _describe_configuration(configuration, variant)
            return EdgeVerdict(edges, configuration_name, (), variant.status, explanation)
    if leaks(edges):
        return _judge_leak(edges, SPECTRAL)
    nearest_configuration = _nearest_configuration(edge_set, registry)
    explanation = (
        f"{_describe_cut(edges)} The nearest configuration:"
        f" {nearest_configuration.title}"
        f" ({', '.join(nearest_configuration.edges)})."
    )
    return EdgeVerdict(edges, "", (), None, explanation)


def judge_without_edge(flow: Flow, silent_edge: str | None, status: Status) -> EdgeVerdict:
    """Judge a method's own noise, as if one of its edges had none.

    Noise that no longer covers every path from the documents is judged a leak; otherwise the
    verdict claims ``status``.

    Args:
        flow: of the method, with the edges that it puts noise on.
        silent_edge: the edge whose noise is taken away; None for the method as it is.
        status: what may be claimed of the method as it is.

    Raises:
        ValueError: the flow has no such edge.
    """
    noisy_edges = flow.in_order(set(flow.noised) - {silent_edge})
    if leaks(noisy_edges, flow):
        return _judge_leak(noisy_edges, flow)
    n_paths = len(paths(flow))
    path_phrase = "The one path" if n_paths == 1 else f"Each of the {n_paths} paths"
    explanation = (
        f"{path_phrase} from the documents to the output crosses an edge with noise, and"
        f" {_describe_spare_edges(noisy_edges, flow)}."
    )
    return EdgeVerdict(noisy_edges, "", (), status, explanation, flow)


def _describe_spare_edges(edges: tuple[str, ...], flow: Flow) -> str:
    """A clause on edges whose noise a cut could do without, or that it needs all of it."""
    spare_edges = spare(edges, flow)
    if spare_edges:
        return f"{' or '.join(spare_edges)} would not need noise"
    subject = "that edge" if len(edges) == 1 else "each of these edges"
    return f"{subject} needs its noise"


def _judge_leak(edges: tuple[str, ...], flow: Flow) -> EdgeVerdict:
    """Give the verdict *not private*: the first path without noise, and how many more leak."""
    leaking_paths = leaks(edges, flow)
    first_sentence = leak_sentences(edges, flow)[0]
    n_more = len(leaking_paths) - 1
    more_sentence = ""
    if n_more:
        more_sentence = f" {n_more} more {'path leaks' if n_more == 1 else 'paths leak'}."
    explanation = f"Not private: {first_sentence[:1].lower()}{first_sentence[1:]}{more_sentence}"
    return EdgeVerdict(edges, "", leaking_paths[0], Status.NOT_PRIVATE, explanation, flow)


def _describe_configuration(configuration: Configuration, variant: Variant) -> str:
    """Describe a configuration's cut in sentences: the paths it crosses and what it publishes.

    Where its noise is unproven, adds that the cut alone proves nothing.
    """
    last_label_part = configuration.label.split(" · ")[-1]
    sentence = (
        f"These edges are a cut: {crossing_sentence(configuration.edges)}. This is"
        f" {configuration.title}, {last_label_part}"
    )
    if variant.status is Status.PROVEN:
        return f"{sentence}."
    return (
        f"{sentence}. {variant.scaling.capitalize()}, {UNPROVEN} its noise, so the cut alone proves"
        " nothing."
    )


def _describe_cut(edges: tuple[str, ...]) -> str:
    """A sentence on a cut of no configuration: its number if minimal, else its spare edges."""
    cuts = minimal_cuts()
    if edges in cuts:
        return (
            f"These edges ({' + '.join(edges)}) are a cut, number {cuts.index(edges) + 1} of the"
            f" {len(cuts)} minimal ones, but no configuration puts its noise there."
        )
    return (
        f"These edges are a cut with more noise than it needs: {' or '.join(spare(edges))} could do"
        " without. No configuration puts its noise there."
    )


def _nearest_configuration(edge_set: set[str], registry: dict[str, Configuration]) -> Configuration:
    """The configuration that meets the paths at nearly the same steps; the first of several."""

    def count_steps_between(configuration: Configuration) -> int:
        return sum(
            abs(_first_noised_step(edge_set, path) - _first_noised_step(configuration.edges, path))
            for path in paths()
        )

    return min(registry.values(), key=count_steps_between)


def _first_noised_step(noised_edges: Iterable[str], path: tuple[str, ...]) -> int:
    return min(path.index(edge) for edge in noised_edges if edge in path)
