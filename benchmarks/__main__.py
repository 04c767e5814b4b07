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
    group_corpora,
    group_rival,
    group_shares,
    growth,
    held_out,
    lost_topics,
    mutants,
    persons,
    play,
    presets,
    priors,
    public_knowledge,
    random_files,
    reading,
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
    words,
)
from benchmarks.docstrings import command as docstrings  # noqa: E402
from benchmarks.hostile import command as hostile  # noqa: E402
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
    "fuzz": hostile.run,
    "group-corpora": group_corpora.run,
    "group-rival": group_rival.run,
    "group-shares": group_shares.run,
    "growth": growth.run,
    "held-out": held_out.run,
    "leaderboard": leaderboard.run,
    "lost-topics": lost_topics.run,
    "mutants": mutants.run,
    "persons": persons.run,
    "play": play.run,
    "prediction": prediction.run,
    "presets": presets.run,
    "priors": priors.run,
    "public-knowledge": public_knowledge.run,
    "private-utility": utility.run,
    "random-files": random_files.run,
    "reading": reading.run,
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
    "words": words.run,
}


def machine() -> dict[str, str | int | None]:
    """What the figures were measured on."""
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
    constants.add_options(parsers["constants"])
    crowd.add_options(parsers["crowd"])
    group_rival.add_options(parsers["group-rival"])
    group_shares.add_options(parsers["group-shares"])
    held_out.add_options(parsers["held-out"])
    hostile.add_options(parsers["fuzz"])
    leaderboard.add_options(parsers["leaderboard"])
    mutants.add_options(parsers["mutants"])
    prediction.add_options(parsers["prediction"])
    presets.add_options(parsers["presets"])
    lost_topics.add_options(parsers["lost-topics"])
    play.add_options(parsers["play"])
    priors.add_options(parsers["priors"])
    public_knowledge.add_options(parsers["public-knowledge"])
    random_files.add_options(parsers["random-files"])
    release.add_options(parsers["release"])
    scale.add_options(parsers["scale"])
    screenshots.add_options(parsers["screenshots"])
    speed.add_options(parsers["speed"])
    tables.add_options(parsers["tables"])
    verdict.add_options(parsers["verdict"])
    utility.add_options(parsers["private-utility"])
    words.add_options(parsers["words"])
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
