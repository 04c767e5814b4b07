"""The house rules, read off the syntax trees of all files; each rule is shown files that it must refuse."""

import importlib

import pytest

from tests.house import contracts, documented, imports, interface, randomness, shape, size
from tests.house.source import ROOT, Rule, project, source

RULES = (
    *imports.RULES,
    *randomness.RULES,
    *interface.RULES,
    *shape.RULES,
    *documented.RULES,
    *contracts.RULES,
)
PUBLIC = ("dplda", "dplda.corpus", "dplda.evaluation", "dplda.flow")
BAD = [
    pytest.param(rule, *sample, id=f"{rule.name}-{i}")
    for rule in RULES
    for i, sample in enumerate(rule.bad)
]
GOOD = [
    pytest.param(rule, *sample, id=f"{rule.name}-{i}")
    for rule in RULES
    for i, sample in enumerate(rule.good)
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_project_keeps_every_house_rule(rule: Rule) -> None:
    complaints = [complaint for file in project() for complaint in rule.check(file)]
    assert not complaints, "\n".join(complaints)


@pytest.mark.parametrize(("rule", "path", "code"), BAD)
def test_house_rule_refuses_what_breaks_it(rule: Rule, path: str, code: str) -> None:
    assert list(rule.check(source(path, code)))


@pytest.mark.parametrize(("rule", "path", "code"), GOOD)
def test_house_rule_lets_pass_what_keeps_it(rule: Rule, path: str, code: str) -> None:
    assert list(rule.check(source(path, code))) == []


def test_house_keeps_its_size() -> None:
    complaints = list(size.too_large(project()))
    assert not complaints, "\n".join(complaints)


@pytest.mark.parametrize(
    ("files", "complaint_part"),
    [
        ({f"dplda/a/x{i}.py": "" for i in range(size.FILES + 1)}, "16 files"),
        ({f"dplda/room{i}/x.py": "" for i in range(size.ROOMS + 1)}, "23 rooms"),
        ({"dplda/x.py": ""}, "lies in no room"),
        (
            {"dplda/a/x.py": "class A: ...", "dplda/b/y.py": "class A: ..."},
            "2 classes have this name",
        ),
    ],
)
def test_house_that_has_grown_is_refused(files: dict[str, str], complaint_part: str) -> None:
    (complaint,) = size.too_large(source(path, text) for path, text in files.items())
    assert complaint_part in complaint


def test_folders_import_one_way() -> None:
    complaints = list(imports.folders_in_a_circle(project()))
    assert not complaints, "\n".join(complaints)


@pytest.mark.parametrize(
    "code",
    [
        "from dplda.b.y import f",
        "from dplda.b import y",
        "import dplda.b.y",
        "def g():\n    from dplda.b.y import f",
        "if TYPE_CHECKING:\n    from dplda.b.y import f",
    ],
)
def test_folders_that_import_each_other_are_refused(code: str) -> None:
    files = {"dplda/a/x.py": code, "dplda/b/y.py": "from dplda.a.x import g"}
    (complaint,) = imports.folders_in_a_circle(source(*file) for file in files.items())
    place = f"dplda/a/x.py:{code.count(chr(10)) + 1}"
    assert f"dplda/a → dplda/b ({place})" in complaint
    assert "dplda/b → dplda/a (dplda/b/y.py:1)" in complaint


def test_folders_that_import_each_other_through_a_third_are_refused() -> None:
    files = {
        "dplda/a/x.py": "import dplda.b.y",
        "dplda/b/y.py": "import dplda.b.c.z",
        "dplda/b/c/z.py": "import dplda.a.x",
    }
    (complaint,) = imports.folders_in_a_circle(source(*file) for file in files.items())
    assert "dplda/b/c → dplda/a (dplda/b/c/z.py:1)" in complaint


def test_face_of_a_package_may_import_what_lies_below() -> None:
    files = {
        "dplda/a/__init__.py": "from dplda.a.b.y import f",
        "dplda/a/x.py": "",
        "dplda/a/b/y.py": "from dplda.a import x",
    }
    assert not list(imports.folders_in_a_circle(source(*file) for file in files.items()))


def test_face_of_a_package_that_is_used_from_below_is_refused() -> None:
    files = {
        "dplda/a/__init__.py": "from dplda.a.b.y import f",
        "dplda/a/b/y.py": "from dplda.a import f",
    }
    (complaint,) = imports.folders_in_a_circle(source(*file) for file in files.items())
    assert "dplda/a/b → dplda/a/__init__.py (dplda/a/b/y.py:1)" in complaint


@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_have_examples(name: str) -> None:
    """That it runs is for the doctests to say."""
    assert documented.without_example(importlib.import_module(name)) == []


def test_house_rules_see_the_project() -> None:
    paths = {file.path for file in project()}
    assert {"app.py", "dplda/cli/dashboard.py", "tests/house/test_house_rules.py"} <= paths
    assert {f"pages/{path.name}" for path in (ROOT / "pages").glob("*.py")} <= paths
