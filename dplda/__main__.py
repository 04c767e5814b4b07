"""``python -m dplda``: the same as the ``dplda`` command."""

import sys

from dplda.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
