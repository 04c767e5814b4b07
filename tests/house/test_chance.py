"""Tests that can fail by chance say how seldom, and together they fail less than once in a thousand runs.

Most tests draw from fixed seeds. Noise of releases has none: a test whose outcome hangs on it says
"Fails by chance once in …" in its own docstring, or once for all in that of its file.
"""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.house.source import ROOT, Source, source

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


def files_with(pattern: re.Pattern[str]) -> Iterator[Source]:
    """Test files whose text has the pattern, but for this one; the others are not parsed."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        text = path.read_text("utf-8")
        if path.name != "test_chance.py" and pattern.search(text):
            yield source(path.relative_to(ROOT).as_posix(), text)


def test_tests_fail_by_chance_less_than_once_in_a_thousand_runs() -> None:
    stated = {file.path: sum(stated_probabilities(file)) for file in files_with(STATEMENT)}
    assert len(stated) > 5, "statements are found"
    assert sum(stated.values()) < LIMIT, stated


def test_files_at_the_error_rate_without_a_seed_state_their_probability() -> None:
    complaints = [
        complaint
        for file in files_with(re.compile("UNSEEDED"))
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


def test_unstated_alarm_is_refused() -> None:
    assert list(unstated_alarms(source("tests/test_x.py", "assert p > UNSEEDED\n")))
