"""Who may import whom."""

from collections.abc import Iterator

from tests.house.source import Rule, Source

# A room imports those that stand above it. A new room needs a place here.
ORDER = (
    *(
        "core",
        "corpus",
        "spectral",
        "privacy",
        "flow",
        "evaluation",
        "methods",
        "theory",
        "experiments",
        "attacks",
    ),
    *("figures", "release", "lessons", "cli", "ui", "__init__", "__main__"),
)
ROW = {part: row for row, part in enumerate(ORDER)}
STRANGERS = {"spectral": "privacy", "privacy": "spectral"}


def part_of(path: str) -> str:
    return path.removeprefix("dplda/").removesuffix(".py").split("/")[0]


def parts_imported(source: Source) -> Iterator[tuple[int, str]]:
    """Line and part for each import from dplda; a name of the package itself counts as ``__init__``."""
    for line, name in source.imports():
        first, *rest = name.split(".")
        if first == "dplda":
            yield line, rest[0] if rest and rest[0] in ROW else "__init__"


def upwards(source: Source) -> Iterator[str]:
    if not source.inside("dplda/"):
        return
    part = part_of(source.path)
    if part not in ROW:
        yield f"{source.path}: {part} has no place in ORDER (tests/house/imports.py)"
        return
    for line, other in parts_imported(source):
        if ROW[other] > ROW[part]:
            yield f"{source.path}:{line}: {part} imports {other}, which stands below it"


def strangers(source: Source) -> Iterator[str]:
    part = part_of(source.path)
    for line, other in parts_imported(source):
        if STRANGERS.get(part) == other:
            yield f"{source.path}:{line}: {part} and {other} must not know each other"


def streamlit_outside_ui(source: Source) -> Iterator[str]:
    if not source.inside("dplda/") or source.inside("dplda/ui/"):
        return
    for line, name in source.imports():
        if name.split(".")[0] == "streamlit":
            yield f"{source.path}:{line}: Streamlit belongs to dplda/ui"
    for call in source.calls():
        words = [getattr(word, "value", None) for word in call.args]
        called = getattr(call.func, "attr", getattr(call.func, "id", ""))
        if called in ("import_module", "__import__") and "streamlit" in words:
            yield f"{source.path}:{call.lineno}: Streamlit belongs to dplda/ui"


RULES = (
    Rule(
        "imports go one way",
        upwards,
        bad=(
            (
                "dplda/corpus/corpus.py",
                "from dplda.methods.configurations.chain.pipeline import fit",
            ),
            ("dplda/corpus/readers/lines.py", "from ...ui import layout"),
            ("dplda/spectral/moments.py", "def f():\n    import dplda.figures.theme"),
            ("dplda/surprise.py", "x = 1"),
        ),
        good=(
            ("dplda/corpus/corpus.py", "from dplda.core import checks\nfrom . import counts"),
            ("dplda/__init__.py", "from dplda.methods.configurations.chain.pipeline import fit"),
        ),
    ),
    Rule(
        "spectral and privacy do not know each other",
        strangers,
        bad=(
            ("dplda/spectral/tensor.py", "from dplda.privacy import noise"),
            ("dplda/privacy/release.py", "from dplda import spectral"),
        ),
        good=(
            (
                "dplda/methods/configurations/chain/pipeline.py",
                "from dplda.privacy import noise\nfrom dplda.spectral import moments",
            ),
        ),
    ),
    Rule(
        "no Streamlit outside ui",
        streamlit_outside_ui,
        bad=(
            ("dplda/figures/topics/words.py", "import streamlit as st"),
            (
                "dplda/experiments/run_card.py",
                "import importlib\nimportlib.import_module('streamlit')",
            ),
        ),
        good=(
            ("dplda/ui/controls.py", "import streamlit as st"),
            ("dplda/cli/dashboard.py", "command = ['-m', 'streamlit', 'run']"),
        ),
    ),
)
