"""Demo mode: a public server reads no documents, releases nothing and keeps nothing of visitors."""

import os

VARIABLE = "DPLDA_DEMO"  # environment variable that turns it on; ``dplda app --demo`` sets it
REFUSAL = (
    "This is a public demo. It reads no documents and releases no topics, so nothing of yours stays"
    " here. To use your own documents, install dplda on your own machine and run `dplda app`."
)


def is_on() -> bool:
    """Whether this process serves a demo; visitors cannot change that."""
    return os.environ.get(VARIABLE, "") not in ("", "0")
