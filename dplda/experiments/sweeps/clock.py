"""How long the rest of a sweep takes, from what was measured: seconds grow with the number of words."""

from collections import defaultdict

from dplda.corpus import Simulation
from dplda.experiments.specs.setting import Setting
from dplda.experiments.specs.spec import Cell
from dplda.methods.method import Method

_BASE = 1_000_000.0  # words that cost as much as what every cell costs anyway
_DOCUMENTS = "documents"


class Clock:
    """Seconds by method, in proportion to the size of the documents; a method not yet met costs the mean of others."""

    def __init__(self, cells: list[Cell]) -> None:
        self._seconds: dict[Method | str, float] = defaultdict(float)
        self._sizes: dict[Method | str, float] = defaultdict(float)
        self._left: dict[Method | str, float] = defaultdict(float)
        for cell in cells:
            self._left[cell.method] += _size(cell.setting)
        for setting, _ in {(cell.setting, cell.corpus) for cell in cells}:
            self._left[_DOCUMENTS] += _size(setting)

    def learn(self, cell: Cell, seconds: float) -> None:
        """Take note of a cell that an earlier run finished."""
        self._note(cell.method, cell.setting, seconds)

    def finished(self, cell: Cell, seconds: float) -> None:
        """Take note of a cell that was still to be computed."""
        self._note(cell.method, cell.setting, seconds)
        self._left[cell.method] -= _size(cell.setting)

    def prepared(self, setting: Setting, seconds: float) -> None:
        """Take note of documents drawn or read."""
        self._note(_DOCUMENTS, setting, seconds)
        self._left[_DOCUMENTS] -= _size(setting)

    def left(self) -> float | None:
        """Seconds that the rest takes; None where nothing was measured yet."""
        measured = sum(size for key, size in self._sizes.items() if key != _DOCUMENTS)
        if not measured:
            return None
        mean = sum(seconds for key, seconds in self._seconds.items() if key != _DOCUMENTS) / measured
        return sum(max(0.0, size) * self._pace(key, mean) for key, size in self._left.items())

    def _pace(self, what: Method | str, mean: float) -> float:
        """Seconds a word."""
        if self._sizes.get(what):
            return self._seconds[what] / self._sizes[what]
        return 0.0 if what == _DOCUMENTS else mean

    def _note(self, what: Method | str, setting: Setting, seconds: float) -> None:
        self._seconds[what] += seconds
        self._sizes[what] += _size(setting)


def _size(setting: Setting) -> float:
    source = setting.source
    return _BASE + (source.n_tokens if isinstance(source, Simulation) else 0.0)
