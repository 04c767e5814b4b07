"""Runs a benchmark and writes its rows, with the facts of the machine, to ``benchmarks/results``, a file a section."""

import argparse
import json
import os
import platform
import subprocess
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path

for _threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(
        _threads, "1"
    )  # before numpy is imported: our threads and scikit-learn's are the parallelism

from benchmarks import (  # noqa: E402
    board,
    constants,
    crowd,
    frames,
    group_corpora,
    group_shares,
    growth,
    held_out,
    hostile_inputs,
    lost_topics,
    mutants,
    play,
    presets,
    priors,
    public_knowledge,
    recording,
    release,
    rerun,
    results_page,
    scale,
    screenshots,
    speed,
    tables,
    teaching,
    verdict,
)
from benchmarks.docstrings import command as docstrings  # noqa: E402
from benchmarks.leaderboard import command as leaderboard  # noqa: E402
from benchmarks.outside_audit import command as outside_audit  # noqa: E402
from benchmarks.prediction import command as prediction  # noqa: E402
from benchmarks.utility import command as utility  # noqa: E402

RESULTS = Path(__file__).parent / "results"
BENCHMARKS = {
    "audit": outside_audit.run,
    "board": board.run,
    "constants": constants.run,
    "crowd": crowd.run,
    "docstrings": docstrings.run,
    "frames": frames.run,
    "fuzz": hostile_inputs.run,
    "group-corpora": group_corpora.run,
    "group-shares": group_shares.run,
    "growth": growth.run,
    "held-out": held_out.run,
    "leaderboard": leaderboard.run,
    "lost-topics": lost_topics.run,
    "mutants": mutants.run,
    "play": play.run,
    "prediction": prediction.run,
    "presets": presets.run,
    "priors": priors.run,
    "public-knowledge": public_knowledge.run,
    "private-utility": utility.run,
    "recording": recording.run,
    "release": release.run,
    "rerun": rerun.run,
    "results": results_page.run,
    "scale": scale.run,
    "screenshots": screenshots.run,
    "speed": speed.run,
    "tables": tables.run,
    "teaching": teaching.run,
    "verdict": verdict.run,
}


def machine() -> dict[str, str | int | None]:
    """Facts of this machine, the commit and the packages, beside which figures are stored."""
    head = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    return {
        "date": date.today().isoformat(),
        "commit": head.stdout.strip(),
        "processors": os.cpu_count(),
        "architecture": platform.machine(),
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "scipy", "scikit-learn")},
    }


def main() -> None:
    """Parses the name of a benchmark and its options, and runs it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(dest="name", required=True)
    parsers = {name: commands.add_parser(name) for name in sorted(BENCHMARKS)}
    for name, benchmark in BENCHMARKS.items():
        add_options = getattr(sys.modules[benchmark.__module__], "add_options", None)
        if add_options is not None:
            add_options(parsers[name])
    options = vars(parser.parse_args())
    name = options.pop("name")
    files = {}
    RESULTS.mkdir(exist_ok=True)
    for row in BENCHMARKS[name](**options):
        print(json.dumps(row), file=sys.stderr, flush=True)
        section = row.pop("section", None)
        file = name if section is None else f"{name}-{section}"
        rows = files.setdefault(file, [])
        rows.append(row)  # written at once: hours of measuring survive an end
        (RESULTS / f"{file}.json").write_text(
            json.dumps({"machine": machine(), "rows": rows}, indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
