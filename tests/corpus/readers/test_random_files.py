"""Whatever bytes come under whatever name: a corpus or a refusal, quickly, and nothing else.

The suite tries few. ``DPLDA_RANDOM_FILES=100000`` tries as many of each format.
"""

import os
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplda.corpus.files.file import file_ending
from dplda.corpus.readers.formats import READERS
from tests.corpus.readers.random_files import NAMES, files, outcome

N_EXAMPLES = int(os.environ.get("DPLDA_RANDOM_FILES", "20"))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=N_EXAMPLES, deadline=None)
@given(data=st.data())
def test_reader_of_random_file_reads_or_refuses(name, data) -> None:
    assert outcome(name, data.draw(files(name))) in ("read", "refused")


def test_random_files_are_drawn_for_every_reader() -> None:
    """A reader of two endings needs one of them."""

    def parts_of(reader: object) -> object:
        """A reader by what it calls, since two partial functions are never equal."""
        return (reader.func, reader.args) if isinstance(reader, partial) else reader

    endings = {file_ending(name) for name in NAMES}
    drawn_readers = [parts_of(READERS[ending]) for ending in endings if ending in READERS]
    assert [end for end, reader in READERS.items() if parts_of(reader) not in drawn_readers] == []
