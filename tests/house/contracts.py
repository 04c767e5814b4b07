"""Contracts, room by room: every field of a public dataclass is described, and every argument whose type says little.

A type says little if it is made of numbers, texts, arrays, collections and functions alone (``float``, ``str | None``,
``tuple[int, ...]``, ``Matrix``); a class of the project's own (``Corpus``, ``Method``) says what the argument is. One
such argument is what the summary line speaks of. Where a public function has several, each has an entry under
``Args:``, but for the field's own names (``epsilon``, ``n_documents``). A docstring that says ``as in`` or ``as for``
another function shares its contract. What ``__init__`` takes is described on the class.

A room joins when it is done: its path goes into ``DONE``. Complaints of a room that is to join:
``python -m pytest -q -n0 tests/house`` with its path added.
"""

import ast
from collections.abc import Iterator

from tests.house.documented import described, fields, is_dataclass
from tests.house.source import Rule, Source

DONE = (
    "dplda/attacks/",
    "dplda/cli/",
    "dplda/core/",
    "dplda/corpus/",
    "dplda/evaluation/",
    "dplda/experiments/",
    "dplda/figures/",
    "dplda/flow/",
    "dplda/lessons/",
    "dplda/methods/",
    "dplda/privacy/",
    "dplda/release/",
    "dplda/spectral/",
    "dplda/theory/",
    "dplda/ui/",
)
STANDARD_NAMES = {
    *("epsilon", "delta", "mu", "alpha0"),
    *("n_documents", "n_words", "n_topics"),
    *("seed", "report"),
}
TYPES_THAT_SAY_LITTLE = {
    *("int", "float", "complex", "str", "bool", "bytes", "bytearray", "memoryview", "object"),
    *("None", "Decimal", "Fraction", "Path"),
    *("tuple", "list", "dict", "set", "frozenset", "deque"),
    *("Sequence", "Iterable", "Iterator", "Mapping", "MutableMapping", "Collection", "Callable"),
    *("Literal", "Sized", "Hashable", "Self"),
    *("np", "NDArray", "ndarray", "float32", "float64", "int64", "int32", "uint32", "bool_"),
    *("intp", "uint64", "uint16", "csr_array", "sparray"),
    *("Vector", "Matrix", "Tensor3", "Counts", "Rows", "Scores", "Single", "Shape", "Numbers"),
}
SHARED_CONTRACT = ("as in ", "as for ", "As in ", "As for ")
IMPLICIT = ("self", "cls")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def undescribed_fields(source: Source) -> Iterator[str]:
    if not source.inside(*DONE):
        return
    for node in source.tree.body:
        if isinstance(node, ast.ClassDef) and _is_public(node.name) and _has_fields(node):
            in_docstring = described(ast.get_docstring(node) or "", "Attributes:")
            missing = [name for name in fields(node) if name not in in_docstring]
            if missing:
                yield f"{source.path}:{node.lineno}: {node.name} does not describe {missing}"


def undescribed_arguments(source: Source) -> Iterator[str]:
    if not source.inside(*DONE):
        return
    for name, docstring, function in _public_functions(source.tree):
        if any(words in docstring for words in SHARED_CONTRACT):
            continue
        names = [argument.arg for argument in _arguments(function) if _says_little(argument)]
        in_docstring = described(docstring, "Args:")
        missing = [argument for argument in names if argument not in in_docstring]
        if len(names) > 1 and missing:
            yield f"{source.path}:{function.lineno}: {name} does not describe {missing}"


def _is_public(name: str) -> bool:
    return not name.startswith("_")


def _has_fields(node: ast.ClassDef) -> bool:
    return is_dataclass(node) or any(ast.unparse(base) == "NamedTuple" for base in node.bases)


def _public_functions(tree: ast.Module) -> Iterator[tuple[str, str, Function]]:
    """Name, docstring and definition of public functions, public methods and constructors."""
    for node in tree.body:
        if isinstance(node, Function) and _is_public(node.name):
            yield node.name, ast.get_docstring(node) or "", node
        elif isinstance(node, ast.ClassDef) and _is_public(node.name):
            for method in node.body:
                if isinstance(method, Function) and _is_public(method.name):
                    name = f"{node.name}.{method.name}"
                    yield name, ast.get_docstring(method) or "", method
                elif isinstance(method, Function) and method.name == "__init__":
                    yield node.name, ast.get_docstring(node) or "", method


def _arguments(function: Function) -> list[ast.arg]:
    arguments = function.args
    return [
        argument
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        if argument.arg not in IMPLICIT and _is_public(argument.arg)
    ]


def _says_little(argument: ast.arg) -> bool:
    if argument.arg in STANDARD_NAMES or argument.annotation is None:
        return False
    names = {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(argument.annotation)
        if isinstance(node, ast.Name | ast.Attribute)
    }
    return names <= TYPES_THAT_SAY_LITTLE


def _function(signature: str, docstring: str) -> str:
    return f'def {signature}:\n    """{docstring}"""'


def _class(field: str, docstring: str) -> str:
    return f'@dataclass(frozen=True)\nclass Point:\n    """{docstring}"""\n    {field}'


_BOTH = "A clip.\n\n    Args:\n        low: lower end.\n        high: upper end.\n    "

RULES = (
    Rule(
        "every field of a public dataclass is described, in rooms that are done",
        undescribed_fields,
        bad=(
            (f"{DONE[0]}x.py", _class("x: float", "A point.")),
            (
                f"{DONE[0]}x.py",
                _class("x: float; y: Corpus", "A point.\n\n    Attributes:\n        x: one.\n    "),
            ),
            (f"{DONE[0]}x.py", 'class Point(NamedTuple):\n    """A point."""\n    x: float'),
        ),
        good=(
            (
                f"{DONE[0]}x.py",
                _class("x: float; _y: int", "A point.\n\n    Attributes:\n        x: one.\n    "),
            ),
            (f"{DONE[0]}x.py", "class _Point(NamedTuple):\n    x: float"),
            ("tests/privacy/x.py", _class("x: float", "A point.")),
        ),
    ),
    Rule(
        "every argument whose type says little is described, in rooms that are done",
        undescribed_arguments,
        bad=(
            (f"{DONE[0]}x.py", _function("clip(low: float, high: float)", "A clip.")),
            (
                f"{DONE[0]}x.py",
                _function(
                    "clip(low: float, at: Matrix | None)",
                    "A clip.\n\n    Args:\n        low: lower end.\n    ",
                ),
            ),
            (
                f"{DONE[0]}x.py",
                "class Clip:\n"
                + '    """A clip."""\n    def __init__(self, low: float, high: tuple[int, ...]): ...',
            ),
        ),
        good=(
            (f"{DONE[0]}x.py", _function("clip(low: float, high: float)", _BOTH)),
            (f"{DONE[0]}x.py", _function("clip(low: float, at: Corpus)", "A clip.")),
            (f"{DONE[0]}x.py", _function("mu_for(epsilon: float, delta: float)", "Largest μ.")),
            (f"{DONE[0]}x.py", _function("_clip(low: float, high: float)", "A clip.")),
            (
                f"{DONE[0]}x.py",
                _function("clip(low: float, high: float)", "A clip; arguments as for ``cut``."),
            ),
            ("tests/privacy/x.py", _function("clip(low: float, high: float)", "A clip.")),
        ),
    ),
)
