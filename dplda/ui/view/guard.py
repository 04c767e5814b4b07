"""What the public process may import of this project, and nothing else: whatever reads documents stays out of it."""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

ALLOWED = frozenset(
    {
        "dplda",
        "dplda._check",
        "dplda._types",
        "dplda.errors",
        "dplda.explore",
        "dplda.explore.colours",
        "dplda.explore.divergence",
        "dplda.explore.relevance",
        "dplda.explore.scaling",
        "dplda.led",
        "dplda.privacy",
        "dplda.privacy.adjacency",
        "dplda.privacy.gaussian",
        "dplda.privacy.odds",
        "dplda.release",
        "dplda.release.artefact",
        "dplda.spreadsheet",
        "dplda.ui",
        "dplda.ui.headers",
        "dplda.ui.literal",
        "dplda.ui.log",
        "dplda.ui.server",
        "dplda.ui.view",
        "dplda.ui.view.cards_view",
        "dplda.ui.view.map_view",
        "dplda.ui.view.page",
        "dplda.ui.view.server",
    }
)
"""Modules that know a released file, arithmetic on topics, and how a page looks."""


class Guard(MetaPathFinder):
    """Refuses every other module of this project."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Of a module that may be imported, nothing: others find it.

        Raises:
            ImportError: it may not.
        """
        if fullname.partition(".")[0] == "dplda" and fullname not in ALLOWED:
            raise ImportError(f"{fullname} has no place in the public view", name=fullname)
        return None


def install() -> None:
    """Guard this process from now on.

    Raises:
        ImportError: it has imported something already that it may not.
    """
    loaded = {name for name in sys.modules if name.partition(".")[0] == "dplda"} - ALLOWED - {__name__}
    if loaded:
        raise ImportError(f"{min(loaded)} has no place in the public view", name=min(loaded))
    sys.meta_path.insert(0, Guard())
