"""What a process leaves of freed memory: nothing, where its C library can overwrite it, and no core on disk."""

import os
import subprocess
import sys

import pytest

from dplda.core.memory import OVERWRITING, return_free_memory, without_overwriting

SIZES = (20, 60, 300, 900, 5_000, 60_000, 500_000)  # bytes: small objects, tcache, bins, own pages
REMAINS = """
import re, sys
from pathlib import Path
from dplda.core.memory import overwrites_freed_memory, return_free_memory

def copies():
    mark = re.compile(rb"zanzibar[c]anary")  # which is no copy
    with open("/proc/self/mem", "rb") as memory:
        found = 0
        for line in Path("/proc/self/maps").read_text().splitlines():
            if " rw-p " in line and "[v" not in line:
                first, last = (int(place, 16) for place in line.split()[0].split("-"))
                memory.seek(first)
                try:
                    area = memory.read(last - first)
                except OSError:  # mapped from a file that is shorter: no page is behind it
                    continue
                found += len(mark.findall(area))
    return found

def documents(size):
    return [f"{'-' * size} {'zanzibar' + chr(99)}anary {number}" for number in range(200)]

for size in map(int, sys.argv[1:]):
    held = documents(size)
    assert copies() >= 200, "this test sees what is there"
    held.clear()
    return_free_memory()
    print(size, overwrites_freed_memory(), copies())
"""
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="its C library can overwrite")


def remains(environment: dict[str, str]) -> list[str]:
    """What a process says that it has left of documents of several sizes."""
    sizes = map(str, SIZES)
    command = [sys.executable, "-c", REMAINS, *sizes]
    return subprocess.check_output(command, env=environment, text=True).splitlines()


@LINUX
def test_overwriting_environment_freed_documents_leave_no_copy() -> None:
    assert remains(os.environ | OVERWRITING) == [f"{size} True 0" for size in SIZES]


@LINUX
def test_usual_environment_freed_documents_leave_copies() -> None:
    lines = remains(without_overwriting(os.environ | OVERWRITING))
    assert any(not line.endswith(" 0") for line in lines), "else nobody needs the other environment"


def test_return_free_memory_shrinks_the_process() -> None:
    command = [sys.executable, "-c", SHRINKS]
    size_before, size_after = map(int, subprocess.check_output(command, text=True).split())
    assert size_after < size_before - 50_000, "kB"


SHRINKS = """
from pathlib import Path
from dplda.core.memory import return_free_memory

def resident():
    return int(next(line for line in Path("/proc/self/status").open() if "VmRSS" in line).split()[1])

held = [bytearray(1_000) for number in range(100_000)]
last = bytearray(1_000)  # keeps the heap as long as it is
before = resident()
del held
return_free_memory()
print(before, resident())
"""


def test_memory_without_overwriting_keeps_other_values_of_a_name() -> None:
    own_variables = {"PYTHONMALLOC": "debug", "PATH": "/bin"}
    assert without_overwriting(OVERWRITING | own_variables) == own_variables
    assert return_free_memory() is None
