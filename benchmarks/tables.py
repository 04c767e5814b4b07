"""The shipped tables of public knowledge: topics of Wikipedia's leads over the public list of English words."""

import argparse
from collections.abc import Iterator

import numpy as np

import dplda
from dplda.corpus import Label
from dplda.corpus.words.vocabulary import english_words
from dplda.methods.base.prior_source import ENGLISH_TABLES
from dplda.methods.refined.plan.constants import LOG_RATIO_STEP
from dplda.methods.refined.prior.prior_files import ENGLISH_TOPICS
from dplda.methods.refined.prior.public_corpora import prior_from_corpus


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where the text lies."""
    parser.add_argument("text", help="file of Wikipedia's leads, in any format that dplda reads")


def run(text: str) -> Iterator[dict[str, str]]:
    """Makes all tables anew, into the assets; measures nothing, so there are no rows."""
    corpus = dplda.load(text, label=Label.PUBLIC, vocabulary=english_words())
    steps_by_table = {}
    for k in ENGLISH_TOPICS:
        ratios = prior_from_corpus(corpus, k, english_words(), n_starts=1).ratios_for(
            english_words()
        )  # of one start, as ships
        steps_by_table[f"k{k}"] = np.clip(
            np.rint(np.log(ratios) / LOG_RATIO_STEP), -127, 127
        ).astype(np.int8)
        print(f"k = {k}: {corpus.n_words:,} words", flush=True)
    ENGLISH_TABLES.parent.mkdir(exist_ok=True)
    np.savez_compressed(ENGLISH_TABLES, **steps_by_table)
    print(f"{ENGLISH_TABLES.name}: {ENGLISH_TABLES.stat().st_size:,} bytes")
    return iter(())
