"""Every word that a page asks for has an entry, and every symbol that tables show is explained."""

import ast
import re
from collections.abc import Iterator

from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.full_batch_vi.flow import STATISTIC, WORDS
from dplda.methods.variational.minibatch_run import STATISTIC as OF_MINIBATCH
from dplda.methods.variational.minibatch_run import WORDS as WORDS_OF_MINIBATCH
from dplda.ui.shell import glossary
from tests.house.source import project

LESSONS = "dplda/ui/learn/step_view.py"  # asks for the words of its lessons, which tests/lessons looks up


def asked_for() -> Iterator[tuple[str, ast.expr]]:
    """Where, and the words, of every popover and heading."""
    for file in project("dplda/ui", "pages"):
        for call in file.calls() if file.path != LESSONS else ():
            named = getattr(call.func, "attr", "") in ("popover", "heading")
            if named and ast.unparse(call.func).startswith("glossary."):
                yield f"{file.path}:{call.lineno}", call.args[-1]


def quantities() -> Iterator[Quantity]:
    for known in REGISTRY.values():
        for variant in known.variants.values():
            yield from (*variant.quantities, *variant.besides)
    yield from (WORDS, STATISTIC, OF_MINIBATCH, WORDS_OF_MINIBATCH)


def test_every_word_asked_for_exists() -> None:
    asked = list(asked_for())
    assert len(asked) > 5
    for place, words in asked:
        assert isinstance(words, ast.Constant), f"{place}: words that stand there"
        assert not set(words.value.split()) - set(glossary.entries()), place


def test_every_symbol_is_explained() -> None:
    known = {symbol for entry in glossary.entries().values() for symbol in entry.symbol.split(", ")}
    for quantity in quantities():
        letters = {letter.strip() for letter in quantity.symbol.split(",")}
        assert letters <= known or quantity.symbol in quantity.words


def test_an_entry_is_one_sentence_and_no_formula() -> None:
    for entry in glossary.entries().values():
        assert entry.says.endswith("."), entry.term
        assert not re.search(r"\. [A-Z]|\$", entry.says), entry.term
        assert len(entry.says) < 180, entry.term
        assert entry.exactly == "" or entry.exactly.endswith("."), entry.term
