"""How much of real text is kept by words that are picked with noise, and how many words off the list are found."""

import argparse
from collections.abc import Iterator

import numpy as np

import dplda
from dplda.core.errors import CorpusError
from dplda.corpus import Corpus, Selection
from dplda.corpus.words.vocabulary import english_words

EPSILONS, DELTAS, SIZES = (0.5, 1.0, 3.0), (1e-8, 1e-5), (1000, 3000, 10_000)
Row = dict[str, str | int | float]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which corpora."""
    parser.add_argument(
        "--corpus", dest="corpora", action="append", required=True, metavar="NAME=PATH"
    )
    parser.add_argument("--repeats", type=int, default=3, help="draws of noise (3)")


def run(corpora: list[str], repeats: int) -> Iterator[Row]:
    """A row for each corpus, list, size, ε and δ, all of which are for the words; means over draws."""
    listed = english_words()
    for given in corpora:
        name, _, path = given.partition("=")
        corpus = dplda.load(path, label="public", n_words=None)
        for chosen, sizes in (((), SIZES[-1:]), (listed, SIZES)):
            for n_words in sizes:
                for epsilon in EPSILONS:
                    for delta in DELTAS:
                        asked = Selection(n_words, epsilon, delta, chosen)
                        kept, found = np.mean(
                            [_kept(corpus, asked) for _ in range(repeats)], axis=0
                        )
                        yield {
                            "corpus": name,
                            "n_documents": corpus.n_documents,
                            "listed": len(chosen),
                            "n_words": n_words,
                            "epsilon": epsilon,
                            "delta": delta,
                            "pairs_kept": round(float(kept), 3),
                            "words_off_the_list": round(float(found)),
                        }


def _kept(corpus: Corpus, asked: Selection) -> tuple[float, int]:
    """The share of all pairs of a document and a word of it that is kept, and how many words off the list are."""
    try:
        found = dplda.select_words(corpus, asked)
    except CorpusError:
        return 0.0, 0
    return found.counts.nnz / corpus.counts.nnz, len(set(found.vocabulary).difference(asked.listed))
