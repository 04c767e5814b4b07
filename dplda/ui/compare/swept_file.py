"""A public corpus of this session as files that a sweep's child process can read: counts without pickles, and words."""

import io

from scipy.sparse import save_npz

from dplda.core import safe_open
from dplda.core.errors import InputError
from dplda.corpus import Corpus, Label, disk_cache
from dplda.experiments.sweeps import FileSource


def kept(corpus: Corpus) -> FileSource:
    """Write counts and words into the cache folder, once for a corpus, and name them."""
    if corpus.label is not Label.PUBLIC:
        raise InputError("corpus", "public to be kept as a file", f"a {corpus.label} one")
    folder, name = disk_cache.folder() / "uploads", corpus.digest[:24]
    counts, words = folder / f"counts-{name}.npz", folder / f"words-{name}.txt"
    if not (counts.is_file() and words.is_file()):
        table = io.BytesIO()
        save_npz(table, corpus.counts, compressed=False)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            safe_open.write(words, "\n".join((*corpus.vocabulary, "")).encode())
            safe_open.write(counts, table.getvalue())
        except OSError as error:
            raise InputError("the cache folder", "one that can be written to", "another", "Set DPLDA_CACHE.") from error
    return FileSource(
        path=str(counts),
        label=Label.PUBLIC,
        n_words=corpus.n_words,
        vocabulary=str(words),
        words=str(words),
        min_letters=1,  # words as they are, whatever they were read with
        keep_case=True,
        pre_tokenised=True,
    )
