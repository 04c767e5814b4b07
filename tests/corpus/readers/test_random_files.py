"""Whatever bytes come under whatever name: a corpus or a refusal, quickly, and nothing else.

The suite tries few. ``DPLDA_RANDOM_FILES=100000`` tries as many of each format.
"""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.corpus.readers.random_files import NAMES, files, outcome

N_EXAMPLES = int(os.environ.get("DPLDA_RANDOM_FILES", "20"))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=N_EXAMPLES, deadline=None)
@given(data=st.data())
def test_reader_of_random_file_reads_or_refuses(name, data) -> None:
    assert outcome(name, data.draw(files(name))) in ("read", "refused")
