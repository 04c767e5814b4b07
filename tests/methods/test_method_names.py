"""One name for each method, the same in lists, charts and headings."""

import pytest

from dplda.flow import Edge
from dplda.methods.base.method_names import (
    FAMILY_NAMES,
    MethodGroup,
    name_beside_line,
    short_title,
)
from dplda.methods.registry import METHODS, private_methods
from dplda.privacy.release import Status
from dplda.ui.shell.method_list import sort_by_group

PAPER = [method for method in METHODS.values() if method.group is MethodGroup.PAPER]


@pytest.mark.parametrize("method", METHODS.values(), ids=lambda method: method.key)
def test_method_that_is_as_published_says_so_in_every_name(method) -> None:
    is_published = method.status is Status.AS_PUBLISHED
    for name in (method.title, method.short_title, method.label):
        assert ("as published" in name) is is_published


def test_methods_of_the_registry_have_different_names_in_every_form() -> None:
    for form in ("title", "short_title", "label"):
        names = [getattr(method, form) for method in METHODS.values()]
        assert len(set(names)) == len(names), form


def test_family_names_are_those_of_the_methods() -> None:
    assert set(FAMILY_NAMES) == {method.name for method in METHODS.values()}
    for method in METHODS.values():
        assert method.family == FAMILY_NAMES[method.name]


def test_typing_config_finds_the_four_of_the_paper_alone() -> None:
    labels = [method.family.label for method in private_methods()]
    with_config = [label for label in labels if "config" in label.lower()]
    assert with_config == [
        "Configuration 1 · noise on pairs and triples",
        "Configuration 2 · noise on the whitened tensor",
        "Configuration 3 · noise on the factors",
        "Configuration 4 · noise on the topics",
    ]


def test_names_of_the_four_mean_the_edges_that_carry_their_noise() -> None:
    meaning = {
        "config-1": (Edge.E3, Edge.E4, Edge.E8),
        "config-2": (Edge.E6, Edge.E8),
        "config-3": (Edge.E7, Edge.E8),
        "config-4": (Edge.E9,),
    }
    assert {method.name: method.flow.noised for method in PAPER} == meaning


def test_short_title_of_a_published_configuration_keeps_its_suffix() -> None:
    assert short_title("Configuration 1, as published") == "Config. 1, as published"
    assert short_title("Configuration 1") == "Config. 1"


def test_list_of_methods_is_in_the_order_of_the_groups() -> None:
    groups = [method.group for method in sort_by_group(METHODS.values())]
    assert list(dict.fromkeys(groups)) == list(MethodGroup)
    assert groups == sorted(groups, key=list(MethodGroup).index)


def test_name_beside_a_line_says_as_published_as_every_other_name_does() -> None:
    assert name_beside_line("Configuration 1, as published") == "Config. 1, as published"
    assert name_beside_line("Configuration 1") == "Config. 1"
