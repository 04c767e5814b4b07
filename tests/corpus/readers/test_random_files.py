"""Whatever bytes come under whatever name: a corpus or a refusal, quickly, and nothing else.

The suite tries few; ``python -m benchmarks random-files`` tries for as long as it is told to.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.random_files import NAMES, files, outcome


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_every_reader_reads_or_refuses(name, data) -> None:
    assert outcome(name, data.draw(files(name))) in ("read", "refused")
