"""Neighbors give the same file, byte for byte, where the same noisy table comes out."""

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from scipy.sparse import csr_array

from dplda.corpus import Corpus
from dplda.corpus.group_columns import GroupColumn
from dplda.privacy.noise.kept_answers import KeptNoise
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.shares import perform
from dplda.release.shares.request import SharesRequest

FROM_ALL = 7.0  # the noisy table that both runs are given, in steps


def replaced(corpus: Corpus, document: int, words: np.ndarray, label: str) -> Corpus:
    """The corpus with another text and another label in the place of one document."""
    counts = corpus.counts.toarray()
    counts[document] = words
    (column,) = corpus.group_columns
    labels = column.labels
    labels[document] = label
    values = tuple(dict.fromkeys(labels))
    codes = np.array([values.index(document_label) for document_label in labels], dtype=np.int32)
    return replace(
        corpus,
        counts=csr_array(counts),
        group_columns=(GroupColumn(column.name, values, codes),),
    )


def file_of(corpus: Corpus, request: SharesRequest, folder: Folder) -> bytes:
    """The file that a run writes where its noisy table is given."""
    charge = next(entry for entry in Ledger(folder).entries() if entry.kind == "charged")
    room = folder.reserve(100_000)

    def given(source: KeptNoise, coordinates: np.ndarray, *_: object) -> np.ndarray:
        return np.full(len(coordinates), FROM_ALL)

    with patch.object(KeptNoise, "perturb", given):
        _, path = perform._perform(corpus, request, charge, folder, room, lambda *_: None)
    content = path.read_bytes()
    path.unlink()
    return content


@pytest.mark.parametrize("label", ["south", "nowhere listed", ""])
@pytest.mark.parametrize("n_own", [0, 1, 40])
def test_file_of_a_neighbor_is_the_same(
    n_own: int,
    label: str,
    letters: Corpus,
    request_of_shares: SharesRequest,
    folder: Folder,
) -> None:
    words = np.zeros(letters.n_words, dtype=int)
    words[:n_own] = 3
    neighbor = replaced(letters, 5, words, label)
    assert neighbor.digest != letters.digest
    assert file_of(letters, request_of_shares, folder) == file_of(
        neighbor, request_of_shares, folder
    )
