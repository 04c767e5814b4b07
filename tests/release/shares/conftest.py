"""Topics released once, in a folder that every test gets a copy of, and a request for a table."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dplda.corpus import Corpus
from dplda.corpus.group_columns import LabelRoll
from dplda.methods.shares.groups import GroupAxis, Groups
from dplda.release.artefact.artefact import Artefact
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.shares.perform import release_shares
from dplda.release.shares.request import SharesRequest
from dplda.release.shares.shares_file import AxisSource
from dplda.release.shares.shares_store import SharesReceipt
from dplda.release.workflow.perform import release
from tests.few_runs import few_runs
from tests.release.conftest import asked
from tests.seeded_noise import zero_noise

DISTRICTS = Groups((GroupAxis(("north", "south")),))
BY_DISTRICT = (AxisSource("district"),)


def with_labels(corpus: Corpus, *, seed: int = 0) -> Corpus:
    roll = LabelRoll("district")
    for label in np.random.default_rng(seed).choice(
        ["north", "south", "west", ""], corpus.n_documents
    ):
        roll.add(str(label))
    return replace(corpus, group_columns=(roll.column(),))


@pytest.fixture(scope="session")
def letters(corpus: Corpus) -> Corpus:
    return with_labels(corpus)


@pytest.fixture(scope="session")
def topics_folder(
    corpus: Corpus, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Artefact]:
    """A release folder with topics, and these, found whatever the draw: charts show topics that are found."""
    folder = Folder(tmp_path_factory.mktemp("topics") / "releases")
    Ledger(folder).declare("mail", epsilon=3.0, delta=1e-5)
    with few_runs(), zero_noise():
        return folder.path, release(corpus, asked(), folder).artefact


@pytest.fixture
def folder(topics_folder: tuple[Path, Artefact], tmp_path: Path) -> Folder:
    copied = shutil.copytree(topics_folder[0], tmp_path / "releases")
    return Folder(copied)


@pytest.fixture
def parent(topics_folder: tuple[Path, Artefact]) -> Artefact:
    return topics_folder[1]


@pytest.fixture
def request_of_shares(parent: Artefact) -> SharesRequest:
    return SharesRequest("mail", parent, DISTRICTS, BY_DISTRICT, epsilon=0.3, delta=1e-6)


@pytest.fixture
def request_by_size(parent: Artefact) -> SharesRequest:
    """A request whose groups are chosen by size, at most two of them."""
    groups = Groups((GroupAxis.to_select(2),))
    return SharesRequest("mail", parent, groups, BY_DISTRICT, epsilon=0.5, delta=1e-6)


@pytest.fixture
def made(letters: Corpus, request_of_shares: SharesRequest, folder: Folder) -> SharesReceipt:
    return release_shares(letters, request_of_shares, folder)
