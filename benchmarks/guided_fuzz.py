"""Files led by coverage: ``python -m benchmarks.guided_fuzz a.csv -max_total_time=60``; atheris has to be installed.

The first argument is one of the names of ``benchmarks.random_files``; what follows are options of libFuzzer.
"""

import sys

import atheris

with atheris.instrument_imports(include=["dplda.corpus", "csv", "email", "zipfile"]):
    from benchmarks.random_files import NAMES, good_file, outcome


def main() -> None:
    """Runs until its time is over or something else than a refusal comes through."""
    name = sys.argv.pop(1)
    if name not in NAMES:
        raise SystemExit(f"one of {', '.join(NAMES)}")
    whole = good_file(name)

    def attempt(content: bytes) -> None:
        """Reads the bytes as they are, and once more behind the beginning of a good file."""
        for example in (content, whole[: len(whole) // 2] + content):
            result = outcome(name, (example, {}))
            assert result in ("read", "refused"), result

    atheris.Setup(sys.argv, attempt)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
