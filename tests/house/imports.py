"""Who may import whom."""

from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

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
STRANGERS = {"spectral": "privacy", "privacy": "spectral", "ui": "cli", "cli": "ui"}


def part_of(path: str) -> str:
    return path.removeprefix("dplda/").removesuffix(".py").split("/")[0]


def parts_imported(source: Source) -> Iterator[tuple[int, str]]:
    """Line and part for each import from dplda; a name of the package itself counts as ``__init__``."""
    for line, name in source.imports():
        package, *subpackages = name.split(".")
        if package == "dplda":
            yield line, subpackages[0] if subpackages and subpackages[0] in ROW else "__init__"


def upwards(source: Source) -> Iterator[str]:
    if not source.inside("dplda/"):
        return
    part = part_of(source.path)
    if part not in ROW:
        yield f"{source.path}: {part} has no place in ORDER (tests/house/imports.py)"
        return
    for line, imported_part in parts_imported(source):
        if ROW[imported_part] > ROW[part]:
            yield f"{source.path}:{line}: {part} imports {imported_part}, which stands below it"


def strangers(source: Source) -> Iterator[str]:
    part = part_of(source.path)
    for line, imported_part in parts_imported(source):
        if STRANGERS.get(part) == imported_part:
            yield f"{source.path}:{line}: {part} and {imported_part} must not know each other"


BASE = "dplda/methods/base/"
BELOW_BASE = ("base", "denoising")  # which are no method


def methods_known_to_base(source: Source) -> Iterator[str]:
    """Imports of a method, for a type checker alone too, by what all methods share."""
    if not source.inside(BASE):
        return
    for line, name in source.imports():
        room = name.removeprefix("dplda.methods.").split(".")[0]
        if name.startswith("dplda.methods.") and room not in BELOW_BASE:
            yield f"{source.path}:{line}: methods/base imports no method, and {room} is one"


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


ONE_DOOR = "dplda/experiments/experiment.py"
BEHIND_THE_DOOR = ("dplda/methods/", ONE_DOOR)


def methods_run_elsewhere(source: Source) -> Iterator[str]:
    """Runs of a method, by its corpus, problem, budget and runtime, that pass by ``experiment.fit``."""
    if not source.inside("dplda/") or source.inside(*BEHIND_THE_DOOR):
        return
    for call in source.calls():
        called = getattr(call.func, "attr", "")
        if called == "fit_continued" or (called == "fit" and len(call.args) >= 4):
            yield f"{source.path}:{call.lineno}: a method runs through fit of {ONE_DOOR}"


PRINTED_SENSITIVITIES = (
    "dplda/privacy/mechanisms.py",  # defines what takes them
    "dplda/methods/configurations/chain/dry_run.py",  # passes them on
    "dplda/methods/configurations/published.py",  # as a paper prints them, whatever the sum
    "dplda/methods/configurations/authors/",
)
RELEASES = ("gaussian", "laplacian", "number", "vector", "matrix", "laplace_number")


def sensitivities_by_hand(source: Source) -> Iterator[str]:
    """Releases whose caller pairs a value with a sensitivity, in place of a sum that carries it."""
    if not source.inside("dplda/") or source.inside(*PRINTED_SENSITIVITIES):
        return
    for call in source.calls():
        called = getattr(call.func, "attr", "")
        if called in RELEASES and any(word.arg == "sensitivity" for word in call.keywords):
            yield f"{source.path}:{call.lineno}: {called} is given a sensitivity: use a bounded sum"


def folder_imports(files: Iterable[Source]) -> dict[str, dict[str, str]]:
    """Imported folders of each importing folder, with a place where it does.

    A folder is a directory at any depth. An ``__init__`` that shows what lies in folders below its own is the face of
    the package: a place of its own, which its folder does not need.
    """
    product = [file for file in files if file.inside("dplda/")]
    paths = {
        file.path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): file.path
        for file in product
    }
    imported_paths = {
        file.path: [
            (line, path) for line, name in file.imports() if (path := _path_of(name, paths))
        ]
        for file in product
    }
    faces = {path for path, imported in imported_paths.items() if _is_face(path, imported)}

    def node_of(path: str) -> str:
        return path if path in faces else path.rpartition("/")[0]

    places: dict[str, dict[str, str]] = {}
    for path, imported in imported_paths.items():
        for line, imported_path in imported:
            if node_of(path) != node_of(imported_path):
                of_folder = places.setdefault(node_of(path), {})
                of_folder.setdefault(node_of(imported_path), f"{path}:{line}")
    return places


def _path_of(name: str, paths: dict[str, str]) -> str | None:
    """Path of the module that an imported name is, or is defined in; None outside the project."""
    while name and name not in paths:
        name = name.rpartition(".")[0]
    return paths.get(name)


def _is_face(path: str, imported: Iterable[tuple[int, str]]) -> bool:
    """Whether a file is an ``__init__`` that imports from folders below its own."""
    folder, _, name = path.rpartition("/")
    return name == "__init__.py" and any(
        imported_path.startswith(f"{folder}/") and imported_path.rpartition("/")[0] != folder
        for _, imported_path in imported
    )


def folders_in_a_circle(files: Iterable[Source]) -> Iterator[str]:
    """A complaint about a whole project in which folders import each other, directly or through others."""
    places = folder_imports(files)
    try:
        TopologicalSorter(places).prepare()
    except CycleError as error:
        circle = error.args[1][::-1]  # each imports the next
        steps = (
            f"{folder} → {imported_folder} ({places[folder][imported_folder]})"
            for folder, imported_folder in pairwise(circle)
        )
        yield f"folders import each other in a circle: {', '.join(steps)}"


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
        "spectral and privacy, and ui and cli, do not know each other",
        strangers,
        bad=(
            ("dplda/spectral/tensor.py", "from dplda.privacy import noise"),
            ("dplda/privacy/release.py", "from dplda import spectral"),
            ("dplda/ui/release/ending.py", "from dplda.cli.release import receipt_lines"),
        ),
        good=(
            (
                "dplda/methods/configurations/chain/pipeline.py",
                "from dplda.privacy import noise\nfrom dplda.spectral import moments",
            ),
        ),
    ),
    Rule(
        "methods/base imports no method",
        methods_known_to_base,
        bad=(
            (f"{BASE}method.py", "from dplda.methods.refined.algorithm import fit_refined"),
            (f"{BASE}method.py", "def f():\n    import dplda.methods.configurations.plan"),
            (
                f"{BASE}method.py",
                "if TYPE_CHECKING:\n    from dplda.methods.refined.algorithm import fit_refined",
            ),
        ),
        good=(
            (f"{BASE}method.py", "from dplda.methods.base.problem import Budget"),
            (
                "dplda/methods/unigram.py",
                "from dplda.methods.refined.documents.documents import Documents",
            ),
        ),
    ),
    Rule(
        "methods run through one door",
        methods_run_elsewhere,
        bad=(
            ("dplda/attacks/game.py", "method.fit(corpus, problem, budget, runtime)"),
            (
                "dplda/release/workflow/perform.py",
                "method.fit_continued(previous, corpus, problem, budget, runtime)",
            ),
        ),
        good=(
            (ONE_DOOR, "method.fit(corpus, problem, budget, runtime)"),
            ("dplda/methods/look_then_add.py", "method.fit(corpus, problem, budget, runtime)"),
            ("dplda/attacks/game.py", "fit(experiment, corpus, runtime)"),
            ("dplda/release/report/estimator.py", "model.fit(corpus)"),
        ),
    ),
    Rule(
        "a released sum carries its sensitivity",
        sensitivities_by_hand,
        bad=(
            (
                "dplda/methods/configurations/laplace.py",
                "mechanisms.laplacian(quantity, value, layout, sensitivity=2.0, epsilon=1.0)",
            ),
            (
                "dplda/privacy/word_selection/selection.py",
                "mechanisms.vector(quantity, value, sensitivity=2.0, mu=1.0)",
            ),
        ),
        good=(
            (
                "dplda/methods/configurations/published.py",
                "mechanisms.gaussian(quantity, value, layout, sensitivity=2.0, mu=1.0)",
            ),
            ("dplda/methods/unigram.py", "mechanisms.release_sum(quantity, bounded_sum, mu=1.0)"),
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
