"""``python -m dplda``: the same as the ``dplda`` command."""

import sys

from dplda.core.errors import MissingPackageError
from dplda.core.optional_packages import requiring


def main() -> int:
    """Run the ``dplda`` command, and return its status.

    Returns:
        2 where click is missing, after a line on standard error that says what to install; else the
        status of the command.
    """
    try:
        with requiring("click", "The dplda command"):
            from dplda.cli.main import main as run_command
    except MissingPackageError as error:
        print(f"dplda: {error}", file=sys.stderr)
        return 2
    return run_command()


if __name__ == "__main__":
    sys.exit(main())
