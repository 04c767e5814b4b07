"""Parquet files of some hundred bytes that stand for gigabytes: refused in words of ours, in bounded memory."""

import io
import os
import subprocess
import sys

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from dplda.corpus import load

MOST_MEMORY = 320_000  # kB; what is refused late takes 345,000 and more
BIG = "wolves elk deer " * 125_000  # 2 MB

READING = """
import os, resource, sys
from dplda.corpus import Label, Limits, load
from dplda.corpus.readers.formats import preview
from dplda.core.errors import ReadError
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
said = []
for read in (preview, lambda file: load(file, text="text", label=Label.PUBLIC, limits=Limits(max_bytes=10_000_000))):
    try:
        read(sys.argv[1])
        said.append("read")
    except ReadError as error:
        said.append(error.problem)
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))  # ru_maxrss is the parent's, too
print(peak.split()[1], *said, sep="|", flush=True)
os._exit(0)  # Arrow's threads may abort a process that ends in peace: once in some hundred runs
"""


def repeated(n: int, text: str = BIG) -> pyarrow.Array:
    return pyarrow.DictionaryArray.from_arrays(
        pyarrow.array(np.zeros(n, dtype=np.int32)), pyarrow.array([text])
    )


def written(table: dict[str, object], **options: object) -> bytes:
    out = io.BytesIO()
    parquet.write_table(pyarrow.table(table), out, compression="zstd", **options)
    return out.getvalue()


BOMBS = {
    "a text a thousand times": lambda: written({"text": repeated(1000)}, store_schema=False),
    "a packed page": lambda: written({"text": pyarrow.array([BIG] * 120)}, use_dictionary=False),
    "each text repeats the one before": lambda: written(
        {"text": pyarrow.array([BIG] * 150)},
        use_dictionary=False,
        column_encoding={"text": "DELTA_BYTE_ARRAY"},
    ),
}


def read_apart(content: bytes, folder) -> tuple[int, str, str]:
    file = folder / "a.parquet"
    file.write_bytes(content)
    env = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", READING, str(file)],
        capture_output=True,
        text=True,
        env=env,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    peak, preview, load = done.stdout.strip().split("|")
    return int(peak), preview, load


@pytest.mark.skipif(sys.platform != "linux", reason="nothing tells the peak there")
@pytest.mark.parametrize("name", BOMBS)
def test_bomb_is_refused_before_it_is_decoded(name, tmp_path) -> None:
    content = BOMBS[name]()
    assert len(content) < 100_000
    peak, preview, load = read_apart(content, tmp_path)
    assert preview == "read"
    assert load.startswith("more than 10,000,000 bytes, the")
    assert peak < MOST_MEMORY


@pytest.mark.skipif(sys.platform != "linux", reason="nothing tells the peak there")
def test_bomb_in_another_column_is_neither_shown_nor_read(tmp_path) -> None:
    lists = pyarrow.LargeListArray.from_arrays(
        pyarrow.array([*range(0, 5000, 1000)], pyarrow.int64()), repeated(4000)
    )
    content = written({"text": ["wolves elk deer"] * 4, "x": lists})
    peak, preview, load = read_apart(content, tmp_path)
    assert (preview, load) == ("read", "read")
    assert peak < MOST_MEMORY


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_encodings_without_dictionaries_are_read_in_smaller_batches(encoding) -> None:
    texts = [f"green tea with milk {'and sugar ' * (i % 9)}" for i in range(40_000)]
    content = written({"text": texts}, use_dictionary=False, column_encoding={"text": encoding})
    assert load(("a.parquet", io.BytesIO(content)), label="public").n_documents == 40_000
