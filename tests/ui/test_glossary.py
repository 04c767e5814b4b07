"""Every word that a page asks for has an entry, and every symbol that tables show is explained."""

import re
from collections.abc import Iterator
from itertools import pairwise

from dplda.core import assets
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.dpvi.minibatch_run import STATISTIC as OF_MINIBATCH
from dplda.methods.dpvi.minibatch_run import WORDS as WORDS_OF_MINIBATCH
from dplda.methods.refined.plan.quantities import STATISTIC, WORDS
from dplda.ui.shell import glossary


def quantities() -> Iterator[Quantity]:
    for configuration in REGISTRY.values():
        for variant in configuration.variants.values():
            yield from (*variant.quantities, *variant.extra_releases)
    yield from (WORDS, STATISTIC, OF_MINIBATCH, WORDS_OF_MINIBATCH)


def test_glossary_explains_every_symbol() -> None:
    explained_symbols = {
        symbol for entry in glossary.entries().values() for symbol in entry.symbol.split(", ")
    }
    for quantity in quantities():
        letters = {letter.strip() for letter in quantity.symbol.split(",")}
        assert letters <= explained_symbols or quantity.symbol in quantity.words


def test_glossary_entry_is_one_sentence_without_a_formula() -> None:
    for entry in glossary.entries().values():
        assert entry.says.endswith("."), entry.term
        assert not re.search(r"\. [A-Z]|\$", entry.says), entry.term
        assert len(entry.says) < 180, entry.term
        assert entry.exactly == "" or entry.exactly.endswith("."), entry.term


def test_glossary_links_only_the_first_use_in_running_text() -> None:
    code = "\n    release\n\n`release` $release$"
    text = f"# Releases\n{code} [a release](x.md) two **releases**, a release\n```\nrelease\n```"
    link = "[releases](?view=docs&chapter=glossary)"
    assert glossary.link_terms(text) == text.replace("**releases**", f"**{link}**")


def test_docs_chapters_skip_no_rank_of_headings() -> None:
    for path in (assets.folder() / "docs").rglob("*.md"):
        text = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
        ranks = [1, *(len(marks) for marks in re.findall(r"^(#+) ", text, flags=re.MULTILINE))]
        assert all(lower_rank <= upper_rank + 1 for upper_rank, lower_rank in pairwise(ranks)), (
            path.name
        )
