"""Set before numpy is imported: one BLAS thread, and a cache on disk that is not the user's own."""

import hashlib
import os
from pathlib import Path

from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["MKL_NUM_THREADS"] = "1"


def _corpus_code() -> str:
    code = hashlib.sha256()
    for path in sorted((ROOT / "dplda" / "corpus").rglob("*.py")):
        code.update(path.read_bytes())
    return code.hexdigest()[:16]


# Kept between runs, as parsing the embedded corpus takes seconds; new corpus code starts a new one.
os.environ["DPLDA_CACHE"] = str(ROOT / ".test-cache" / _corpus_code())

# Shared machines stall: a slow example is no failure. On CI the same examples every time.
settings.register_profile("dplda", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("dplda")
