"""Size, names and types of files."""

import ast
from collections.abc import Iterator

from tests.house.source import Rule, Source

FILE_LINES = 500
MIN_WORDS_OF_TEST = 3  # a unit, a condition, an outcome
NO_UNIT = {
    *("a", "an", "the", "this", "that", "these", "those", "such", "another", "other"),
    *("he", "she", "it", "they", "we", "you", "its", "their", "our", "your", "itself"),
    *("who", "whom", "whose", "what", "which", "where", "when", "why", "how"),
    *("whoever", "whatever", "wherever", "whichever"),
    *("all", "any", "both", "each", "every", "few", "fewer", "many", "more", "no", "none", "some"),
    *("nobody", "nothing", "somebody", "something", "anybody", "anything", "everything"),
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("and", "or", "nor", "neither", "either", "but", "so", "as", "if", "than", "though"),
    *("of", "in", "on", "at", "by", "for", "from", "into", "with", "without", "within"),
    *("after", "before", "until", "while", "there", "here", "then", "only", "not", "never", "too"),
}  # words that a test may not begin with: none names what is tested
DRAWERS = {"utils.py", "util.py", "common.py", "helpers.py", "helper.py", "misc.py"}


def too_long(source: Source) -> Iterator[str]:
    if source.text.count("\n") > FILE_LINES:
        yield f"{source.path}: more than {FILE_LINES} lines"


def drawer(source: Source) -> Iterator[str]:
    if source.path.split("/")[-1] in DRAWERS:
        yield f"{source.path}: a name that says nothing"


def untyped(source: Source) -> Iterator[str]:
    if not source.inside("dplda/"):
        return
    for node in source.nodes():
        if isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) in (
            "Any",
            "typing.Any",
        ):
            yield f"{source.path}:{node.lineno}: Any"
        elif (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            and node.args.kwarg
        ):
            yield f"{source.path}:{node.lineno}: **{node.args.kwarg.arg}"
    for line, name in source.imports():
        if name == "typing.Any":
            yield f"{source.path}:{line}: Any"


def unclear_test_name(source: Source) -> Iterator[str]:
    """A test is named `test_<unit>_<condition>_<outcome>`; what needs an "and" is two tests.

    The name comes before the body: in a list of failures it is all that one reads. Whoever reads
    "a damaged file is refused" has to open the test to learn which file and by what, and cannot find
    the tests of a function by its name. So a name begins with the unit: a noun or a function, and no
    article, pronoun or number, which could stand before anything.
    """
    if not source.inside("tests/"):
        return
    for node in source.nodes():
        if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
            continue
        words = node.name.removeprefix("test_").split("_")
        place = f"{source.path}:{node.lineno}: {node.name}"
        if "and" in words[1:-1]:
            yield f"{place} has two subjects, joined by and"
        elif words[0] in NO_UNIT:
            yield f"{place} begins with {words[0]!r}, which names no unit"
        elif len(words) < MIN_WORDS_OF_TEST:
            yield f"{place} says too little"


RULES = (
    Rule(
        "a file fits one idea",
        too_long,
        bad=(("tests/test_x.py", "x = 1\n" * (FILE_LINES + 1)),),
        good=(("tests/test_x.py", "x = 1\n" * FILE_LINES),),
    ),
    Rule(
        "no drawers",
        drawer,
        bad=(("dplda/corpus/utils.py", ""), ("tests/helpers.py", ""), ("dplda/common.py", "")),
        good=(("dplda/corpus/counts.py", ""),),
    ),
    Rule(
        "no Any, no **kwargs",
        untyped,
        bad=(
            ("dplda/x.py", "import typing\nx: typing.Any = 1"),
            ("dplda/x.py", "def f(x: 'int', y: Any) -> None: ..."),
            ("dplda/x.py", "def f(**kwargs: int) -> None: ..."),
        ),
        good=(
            ("dplda/x.py", "def f(*names: str, key: int) -> None: ..."),
            ("tests/x.py", "def f(**kwargs): ..."),
        ),
    ),
    Rule(
        "a test has one subject, and begins with it",
        unclear_test_name,
        bad=(
            ("tests/x/test_x.py", "def test_words_are_read_and_counted() -> None: ..."),
            ("tests/x/test_x.py", "class TestX:\n    def test_command_fails(self) -> None: ..."),
            ("tests/x/test_x.py", "def test_a_damaged_file_is_refused() -> None: ..."),
            ("tests/x/test_x.py", "def test_what_was_paid_for_is_not_lost() -> None: ..."),
            ("tests/x/test_x.py", "def test_every_method_has_a_report() -> None: ..."),
            ("tests/x/test_x.py", "def test_it_finds_topics() -> None: ..."),
            ("tests/x/test_x.py", "def test_without_noise_topics_stay() -> None: ..."),
            ("tests/x/test_x.py", "def test_two_releases_share_no_noise() -> None: ..."),
        ),
        good=(
            ("tests/x/test_x.py", "def test_empty_text_has_no_words() -> None: ..."),
            ("tests/x/test_x.py", "def test_file_with_a_flipped_byte_is_refused() -> None: ..."),
            ("tests/x/test_x.py", "def read_and_count() -> None: ..."),
            ("dplda/x.py", "def test_prior() -> bool: ..."),
        ),
    ),
)
