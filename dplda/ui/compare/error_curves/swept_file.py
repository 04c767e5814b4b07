"""A public corpus of this session as a file that a sweep's child process can read: a UCI bag of words, no pickles."""

from pathlib import Path

import numpy as np

from dplda.core.errors import InputError
from dplda.corpus import Corpus, Label, disk_cache
from dplda.experiments.sweeps import FileSource


def kept(corpus: Corpus) -> FileSource:
    """Write counts and words into the cache folder, once for a corpus, and name them."""
    if corpus.label is not Label.PUBLIC:
        raise InputError("corpus", "public to be kept as a file", f"a {corpus.label} one")
    folder = disk_cache.folder() / "uploads"
    counts, words = folder / f"docword-{corpus.digest[:24]}.txt", folder / f"vocab-{corpus.digest[:24]}.txt"
    if not (counts.is_file() and words.is_file()):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _replace(words, "\n".join(corpus.vocabulary) + "\n")
            _replace(counts, _bag(corpus))
        except OSError as error:
            raise InputError("the cache folder", "one that can be written to", "another", "Set DPLDA_CACHE.") from error
    return FileSource(
        path=str(counts),
        label=Label.PUBLIC,
        n_words=corpus.n_words,
        vocabulary=str(words),
        min_letters=1,  # words as they stand, whatever they were read with
        keep_case=True,
        pre_tokenised=True,
    )


def _bag(corpus: Corpus) -> str:
    table = corpus.counts.tocoo()
    rows = np.stack([table.row + 1, table.col + 1, table.data], axis=1)
    header = f"{corpus.n_documents}\n{corpus.n_words}\n{len(rows)}\n"
    return header + "".join(f"{document} {word} {count}\n" for document, word, count in rows.tolist())


def _replace(path: Path, text: str) -> None:
    """Whole or not at all."""
    part = path.with_suffix(".part")
    part.write_text(text, "utf-8")
    part.replace(path)
