from itertools import combinations

import pytest

from dplda.flow import Edge, is_cut, leaks
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.verdict import UNPROVEN, judge_edges
from dplda.privacy.release import Status


def test_judge_edges_of_any_set_gives_a_leak_or_a_status() -> None:
    names_of_edges = {
        frozenset(configuration.edges): name for name, configuration in reversed(REGISTRY.items())
    }  # the first of several
    for size in range(len(Edge) + 1):
        for chosen_edges in combinations(Edge, size):
            verdict = judge_edges(chosen_edges, REGISTRY)
            assert verdict.configuration == names_of_edges.get(frozenset(chosen_edges), "")
            assert bool(verdict.leak) is not is_cut(chosen_edges)
            assert not verdict.leak or verdict.leak == leaks(chosen_edges)[0]
            assert (verdict.status is Status.NOT_PRIVATE) is bool(verdict.leak)
            assert (verdict.status is None) is (not verdict.leak and not verdict.configuration)
            assert verdict.words.endswith(".")


@pytest.mark.parametrize(
    ("name", "calibration"),
    [(name, form) for name, configuration in REGISTRY.items() for form in configuration.variants],
)
def test_judge_edges_of_a_configuration_has_its_status(name, calibration) -> None:
    variant = REGISTRY[name].variants[calibration]
    verdict = judge_edges(REGISTRY[name].edges, REGISTRY, calibration)
    assert verdict.status is variant.status
    assert (UNPROVEN in verdict.words) == (variant.status is not Status.PROVEN)
    assert (UNPROVEN in verdict.finding) == (variant.status is not Status.PROVEN)


@pytest.mark.parametrize(
    ("chosen_edges", "nearest"),
    [
        (("e0", "e1"), "Shared moment"),
        (("e3", "e2", "e5"), "Shared moment"),
        (("e8", "e9"), "Configuration 4"),
    ],
)
def test_judge_edges_of_an_unknown_cut_names_the_nearest_configuration(
    chosen_edges, nearest
) -> None:
    verdict = judge_edges(chosen_edges, REGISTRY)
    assert not verdict.configuration
    assert "no configuration puts its noise there" in verdict.words.lower()
    assert f"nearest configuration: {nearest}" in verdict.words


def test_judge_edges_of_an_unknown_edge_raises() -> None:
    with pytest.raises(ValueError, match="e10"):
        judge_edges(["e10"], REGISTRY)
