"""Tests that can fail by chance say how seldom, and together they fail less than once in a thousand runs.

Most tests draw from fixed seeds. Noise of releases has none: a test whose outcome hangs on it says
"Fails by chance once in …" in its own docstring, or once for all in that of its file.
"""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.house.source import Source, project, source

LIMIT = 1 / 1000
STATEMENT = re.compile(r"[Ff]ails\s+by\s+chance\s+once\s+in\s+([\d,]+)")


def stated_probabilities(file: Source) -> Iterator[float]:
    """Probabilities of a false failure that the docstrings of a file's tests state."""
    for node in file.nodes():
        if isinstance(node, ast.Module | ast.FunctionDef):
            for number in STATEMENT.findall(ast.get_docstring(node) or ""):
                yield 1 / int(number.replace(",", ""))


def unstated_alarms(file: Source) -> Iterator[str]:
    """Comparisons at the error rate of noise without a seed in a file that states no probability."""
    if "UNSEEDED" in file.text and not any(stated_probabilities(file)):
        yield f"{file.path} draws noise without a seed; say once in how many runs it fails by chance"


def test_tests_fail_by_chance_less_than_once_in_a_thousand_runs() -> None:
    tests = [file for file in project() if file.inside("tests/")]
    stated = {file.path: sum(stated_probabilities(file)) for file in tests}
    assert sum(stated.values()) < LIMIT, {path: each for path, each in stated.items() if each}


def test_files_at_the_error_rate_without_a_seed_state_their_probability() -> None:
    tests = [file for file in project() if file.inside("tests/")]
    own_files = ("tests/statistical/laws.py", "tests/house/test_chance.py")
    complaints = [
        complaint
        for file in tests
        if file.path not in own_files
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


def test_unstated_alarm_is_refused() -> None:
    assert list(unstated_alarms(source("tests/test_x.py", "assert p > UNSEEDED\n")))
