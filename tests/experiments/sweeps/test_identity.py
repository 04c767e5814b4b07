"""Whose results they are: which files the code version covers."""

import ast
import subprocess
import sys
from pathlib import Path

from dplda.experiments.storage import identity
from dplda.experiments.storage.identity import FIRST, PACKAGE, code_version, numerical_sources
from dplda.methods.registry import METHODS

LOADED = """
import sys
from types import ModuleType
bare = (("dplda", "dplda"), ("dplda.experiments.sweeps", "dplda/experiments/sweeps"))  # what they gather is for others
for name, folder in bare:
    sys.modules[name] = ModuleType(name)
    sys.modules[name].__path__ = [folder]
from dplda.corpus import Simulation
from dplda.methods.registry import parse_method
from dplda.experiments.sweeps.measure import measure
from dplda.experiments.sweeps.prepared import PreparedCorpus
from dplda.experiments.specs.setting import Setting
from dplda.experiments.specs.spec import Sweep
small = Setting("small", Simulation(n_documents=100, n_words=9, n_topics=2, mean_length=20), 2, 1.0)
sweep = Sweep(settings=(small,), methods=tuple(map(parse_method, {methods})), epsilons=(5.0,))
for cell in sweep.cells():
    measure(cell, PreparedCorpus(sweep, small, 0))
for module in list(sys.modules.values()):
    if module.__name__.startswith("dplda.") and getattr(module, "__file__", None):
        print(module.__file__)
"""


def test_code_version_covers_every_module_that_a_fit_loads() -> None:
    """Whatever measuring a cell of any method loads, at first or on the way, is covered."""
    methods = sorted({method.name for method in METHODS.values()})
    command = [sys.executable, "-c", LOADED.replace("{methods}", repr(methods))]
    completed = subprocess.run(
        command, cwd=PACKAGE.parent, capture_output=True, text=True, check=True
    )
    loaded = {Path(line).resolve() for line in completed.stdout.splitlines()}
    assert PACKAGE / "methods" / "configurations" / "chain" / "pipeline.py" in loaded
    assert PACKAGE / "methods" / "dpvi" / "replaced_loss.py" in loaded
    assert loaded <= set(numerical_sources())


def test_imports_of_a_file_are_those_that_the_parser_finds() -> None:
    """Of every file that numbers come from, and of names on lines of their own, with another name or a comment."""
    for path in numerical_sources():
        names = set()
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import | ast.ImportFrom):
                start = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
                names |= {start + alias.name for alias in node.names}
        expected = {identity._file_of(name.split(".")) for name in names} - {None}
        assert set(identity._imported(path)) == expected, path


def test_code_version_follows_the_sources(tmp_path, monkeypatch) -> None:
    sources = {
        FIRST: "import numpy\nfrom dplda.chain import step\n",
        "chain.py": "def step():\n    from dplda.deep import (\n        root as r,  # (a root)\n        bounds,\n    )\n",
        "deep/__init__.py": "from dplda.deep.root import root\n",
        "deep/root.py": "root = 1\n",
        "deep/bounds.py": "import dplda.last\n",
        "last.py": "",
        "ui/page.py": "from dplda import chain\n",
        "report.py": "",
    }
    for place, text in sources.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(text)
    monkeypatch.setattr(identity, "PACKAGE", tmp_path)

    def version() -> str:
        code_version.cache_clear()
        return code_version()

    try:
        known_versions = {version()}
        for place in sources:
            with (tmp_path / place).open("a") as file:
                file.write("x = 2\n")
            assert (version() in known_versions) == (place in ("ui/page.py", "report.py"))
            known_versions.add(version())
        (tmp_path / "last.py").unlink()
        assert version() not in known_versions
    finally:
        code_version.cache_clear()
