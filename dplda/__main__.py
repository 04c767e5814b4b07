"""``python -m dplda``: the same as the ``dplda`` command."""

import sys

from dplda.core.errors import MissingPackageError
from dplda.core.optional_packages import requiring


def main() -> int:
    """Run the ``dplda`` command; say what to install where it cannot start."""
    try:
        with requiring("click", "The dplda command"):
            from dplda.cli.main import main as run_command
    except MissingPackageError as error:
        print(f"dplda: {error}", file=sys.stderr)
        return 2
    return run_command()


if __name__ == "__main__":
    sys.exit(main())
