"""A sweep in its own process, run as ``python -m dplda.experiments.sweeps.child FOLDER``.

Standard input brings the spec and the parent's code version as one line of JSON and stays open: when it closes, the
parent is gone and this process ends. Standard output carries progress, one JSON object per line.
"""

import json
import os
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import TextIO

from dplda.core.errors import DpldaError
from dplda.experiments.specs.spec import Sweep
from dplda.experiments.storage.database import StoreError
from dplda.experiments.storage.identity import code_version
from dplda.experiments.storage.store import Store
from dplda.experiments.sweeps.run import run

ORPHANED, REFUSED, FAILED = 3, 2, 1


def main() -> int:
    """Run the sweep that standard input describes; returns 0 or one of the statuses above."""
    os.nice(10)  # pages come first, even if a sweep uses all cores
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else is printed goes to standard error
    order = json.loads(sys.stdin.readline())
    threading.Thread(target=_follow, daemon=True).start()
    try:
        if order["version"] != code_version():  # the parent looks for results of its own code
            raise StoreError("The program's files have changed since the dashboard started. Restart the dashboard.")
        sweep = Sweep.from_toml(order["spec"])
        run(sweep, Store(sweep, Path(sys.argv[1])), lambda progress: _say(answers, asdict(progress)))
    except DpldaError as refusal:
        _say(answers, {"reason": str(refusal)})
        return REFUSED
    except Exception as error:  # its text might quote a document
        _say(
            answers, {"reason": f"The sweep failed with {type(error).__name__}. Finished runs are kept; run it again."}
        )
        return FAILED
    return 0


def _follow() -> None:
    """End this process once the parent closes standard input or dies."""
    while os.read(0, 1024):  # not sys.stdin: this thread would hold its lock forever
        pass
    os._exit(ORPHANED)


def _say(answers: TextIO, content: dict[str, object]) -> None:
    print(json.dumps(content), file=answers, flush=True)


if __name__ == "__main__":
    sys.exit(main())
