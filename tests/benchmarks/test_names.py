"""Benchmarks run seldom, so a name that has moved would be missed only after minutes of measuring."""

import ast
import sys
from pathlib import Path
from types import ModuleType

from benchmarks import __main__ as command
from tests.house.source import ROOT


def _missing_names(module: ModuleType, source: str) -> set[str]:
    """Attributes of imported modules that a source reads and that these modules lack."""
    return {
        f"{node.value.id}.{node.attr}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if isinstance(owner := getattr(module, node.value.id, None), ModuleType)
        if not hasattr(owner, node.attr)
    }


def test_benchmarks_read_only_names_that_modules_have() -> None:
    assert command.BENCHMARKS
    loaded = [
        loaded_module
        for name, loaded_module in sys.modules.items()
        if name.startswith("benchmarks.")
    ]
    sources = {
        loaded_module.__name__: (loaded_module, Path(str(loaded_module.__file__)))
        for loaded_module in loaded
    }
    assert len(sources) > len(command.BENCHMARKS) // 2
    for name, (module, path) in sources.items():
        assert path.is_relative_to(ROOT / "benchmarks"), name
        assert not _missing_names(module, path.read_text("utf-8")), name
