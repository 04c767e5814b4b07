"""Tests that can fail by chance say how seldom, and together they fail less than once in a hundred thousand runs.

Tests draw from fixed seeds, noise of releases and secrets included. Those that draw fresh noise are marked, and say
"Fails by chance once in …" in their own docstring, or once for all in that of their file.
"""

import ast
import re
from collections.abc import Iterator

import numpy as np
import pytest

from dplda.privacy.noise.exact import ExactNoise
from dplda.privacy.noise.keys import Secret
from dplda.privacy.noise.layouts import PlainVector
from tests import seeded_noise
from tests.house.source import ROOT, Source, source

LIMIT = 1 / 100_000
FRESH = re.compile(rf"UNSEEDED|mark\.{seeded_noise.MARKER}")
STATEMENT = re.compile(r"[Ff]ails\s+by\s+chance\s+once\s+in\s+([\d,]+)")


def stated_probabilities(file: Source) -> Iterator[float]:
    """Probabilities of a false failure that the docstrings of a file's tests state."""
    for node in file.nodes():
        if isinstance(node, ast.Module | ast.FunctionDef):
            for number in STATEMENT.findall(ast.get_docstring(node) or ""):
                yield 1 / int(number.replace(",", ""))


def unstated_alarms(file: Source) -> Iterator[str]:
    """Fresh noise in a file that states no probability."""
    if FRESH.search(file.text) and not any(stated_probabilities(file)):
        yield f"{file.path} draws noise without a seed; say once in how many runs it fails by chance"


def files_with(pattern: re.Pattern[str]) -> Iterator[Source]:
    """Test files whose text has the pattern, but for this one; the others are not parsed."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        text = path.read_text("utf-8")
        if path.name != "test_chance.py" and pattern.search(text):
            yield source(path.relative_to(ROOT).as_posix(), text)


def test_tests_fail_by_chance_less_than_once_in_a_hundred_thousand_runs() -> None:
    probabilities = {file.path: sum(stated_probabilities(file)) for file in files_with(STATEMENT)}
    assert len(probabilities) > 4, "statements are found"
    assert sum(probabilities.values()) < LIMIT, probabilities


def test_files_with_fresh_noise_state_their_probability() -> None:
    complaints = [
        complaint
        for file in files_with(FRESH)
        if file.path != "tests/statistical/laws.py"
        for complaint in unstated_alarms(file)
    ]
    assert complaints == []


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [("Fails by chance once in 2,000.", [1 / 2000]), ("Nothing of the kind.", [])],
)
def test_stated_probabilities_are_read_from_docstrings(docstring, expected) -> None:
    file = source("tests/test_x.py", f'def test_x():\n    """{docstring}"""\n')
    assert list(stated_probabilities(file)) == expected


@pytest.mark.parametrize("text", ["assert p > UNSEEDED\n", "mark = pytest.mark.fresh_noise\n"])
def test_unstated_alarm_is_refused(text) -> None:
    assert list(unstated_alarms(source("tests/test_x.py", text)))


def draw_release_noise() -> list[float]:
    noise = ExactNoise(epsilon=1.0, delta=1e-7)
    return list(noise.perturb(np.zeros(3, dtype=np.int64), 2.0**30, PlainVector(), "a sum"))


def draw_secret() -> bytes:
    return Secret().hand_over()


@pytest.mark.parametrize("draw", [draw_release_noise, draw_secret])
def test_noise_of_a_test_is_that_of_its_name(draw, request) -> None:
    first_draw = draw()
    with seeded_noise.noise_named(request.node.nodeid):
        assert draw() == first_draw
    with seeded_noise.noise_named("another test"):
        assert draw() != first_draw
    with seeded_noise.noise_named(None):
        assert draw() != draw(), "from the operating system"


@pytest.fixture(scope="module")
def shared_secret() -> bytes:
    return draw_secret()


def test_noise_of_a_shared_fixture_is_that_of_its_name(shared_secret, request) -> None:
    """Whichever test asks for it first."""
    base = request.node.nodeid.split("::")[0]
    with seeded_noise.noise_named(f"{base}::shared_secret[0]"):
        assert draw_secret() == shared_secret


def test_tests_marked_fresh_draw_from_the_operating_system(request) -> None:
    assert seeded_noise.stream_name(request.node, "a name") == "a name"
    request.node.add_marker(seeded_noise.MARKER)
    assert seeded_noise.stream_name(request.node, "a name") is None
