"""Permalinks: which settings an address holds, and what is wrong with those it brings."""

from collections.abc import Callable, Mapping
from dataclasses import astuple
from urllib.parse import quote

from dplda.core.errors import DpldaError
from dplda.corpus import LengthLaw, Simulation
from dplda.evaluation.relevance import LONGEST_NAME, named
from dplda.experiments.settings import CorpusKind, Settings
from dplda.flow import SPECTRAL
from dplda.methods.base.method import Method
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.configurations import split as splits
from dplda.methods.registry import calibrations, private_methods
from dplda.ui.state.keys import Key

VERSION_KEY, VERSION = "v", "3"
UNNAMED = {"1": "adaptive", "2": ""}  # what a link of that version means where it names no method
CORPUS_KEY = "corpus"
DOCSTRINGS = "docstrings"
DRAW_KEY, OWN = "draw", "own"  # each who opens the link draws a noise seed of their own
SHOWN_KEY = "shown"  # on Error curves: which figure
EDGES_KEY = "edges"  # on Noise: those chosen, if they are no configuration's
EDGES = [str(edge) for edge in SPECTRAL.edges]

EPSILONS = (
    0.1,
    0.12,
    0.15,
    0.2,
    0.25,
    0.3,
    0.4,
    0.5,
    0.6,
    0.8,
    1,
    1.2,
    1.5,
    2,
    2.5,
    3,
    4,
    5,
    6,
    8,
    10,
)
DELTAS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
TOPICS = (2, 40)
ALPHAS = (0.01, 100.0)
SEEDS = (0, 2**31 - 1)
LONGEST_NAMES = 6_000  # characters of an address: forty long names in English
DEFAULTS: dict[str, float] = {
    Key.EPSILON: 3,
    Key.DELTA: 1e-7,
    Key.N_TOPICS: 3,
    Key.ALPHA0: 0.1,
    Key.SEED: 0,
}
EARLIER = {Key.N_TOPICS: 10}  # defaults of versions 1 and 2, whose documents were the docstrings
TEACHING = Simulation(
    n_documents=100_000, n_words=100, n_topics=3, alpha0=0.1, mean_length=60, newspaper="english"
)  # what a new visitor sees: every configuration finds its topics


def epsilon_text(epsilon: float) -> str:
    """ε as shown and as in a link."""
    return f"{epsilon:g}"


def delta_text(delta: float) -> str:
    """δ as shown and as in a link, e.g. ``1e-7``."""
    return f"{delta:.0e}".replace("e-0", "e-")


def query(
    settings: Settings, kind: CorpusKind, simulation: Simulation | None
) -> dict[str, str | None]:
    """The parameters of an address that restores an experiment; None for defaults."""
    texts, first = _texts(settings), _texts(read({}))
    changed = {name: None if text == first[name] else text for name, text in texts.items()}
    return changed | {CORPUS_KEY: corpus_text(kind, simulation)}


def _texts(settings: Settings) -> dict[str, str | None]:
    method, problem, spent = settings.method, settings.problem, settings.budget
    return {
        Key.CONFIGURATION: method.name,
        Key.CALIBRATION: None if method.is_recommended else _word(method),
        Key.EPSILON: epsilon_text(spent.epsilon),
        Key.DELTA: delta_text(spent.delta),
        Key.N_TOPICS: str(problem.n_topics),
        Key.ALPHA0: f"{problem.alpha0:g}",
        Key.SEED: str(settings.seed),
        Key.SPLIT: "_".join(map(str, splits.to_thousandths(splits.split_from_shares(spent.split))))
        if spent.split
        else None,
    }


def read(query: Mapping[str, str]) -> Settings:
    """The experiment in an address, with defaults for missing or unusable values."""
    method, split = method_in(query), read_split(method_in(query), query.get(Key.SPLIT, ""))
    first = DEFAULTS | EARLIER if query.get(VERSION_KEY) in UNNAMED else DEFAULTS
    numbers = first | {
        name: value for name in _NUMBERS if (value := _number(name, query)) is not None
    }
    return Settings(
        method,
        Problem(int(numbers[Key.N_TOPICS]), numbers[Key.ALPHA0]),
        Budget(numbers[Key.EPSILON], numbers[Key.DELTA], split.shares if split else ()),
        int(numbers[Key.SEED]),
    )


def read_split(method: Method, text: str) -> splits.Split | None:
    """The split in a link, or None if the text is not one for this method."""
    try:
        return splits.from_thousandths(method.quantities, [int(part) for part in text.split("_")])
    except (ValueError, DpldaError):
        return None


def read_edges(text: str) -> list[str] | None:
    """The edges in a link, or None if one of them does not exist."""
    asked = text.split("_") if text else []
    return [edge for edge in EDGES if edge in asked] if set(asked) <= set(EDGES) else None


def corpus_text(kind: CorpusKind, simulation: Simulation | None) -> str | None:
    """A corpus as one word of a link; None for the default. The word does not restore an uploaded corpus."""
    if kind is CorpusKind.EMBEDDED:
        return DOCSTRINGS
    if kind is CorpusKind.UPLOADED:
        return kind
    if simulation is None or simulation == TEACHING:
        return None
    parts = (
        f"{part:g}" if isinstance(part, float) else str(part)
        for part in astuple(simulation)
        if part != ""
    )
    return "_".join((CorpusKind.SIMULATED, *parts))


def read_corpus(text: str) -> Simulation | None:
    """The simulation in a link, or None if the text is not one or out of range."""
    kind, *parts = text.split(
        "_", len(_SIMULATED)
    )  # the name of a newspaper comes last, and may have more of them
    if kind != CorpusKind.SIMULATED or len(parts) < len(_SIMULATED) - 1:
        return None
    make: Callable[..., Simulation] = Simulation
    try:
        return make(*(read(part) for read, part in zip(_SIMULATED, parts, strict=False)))
    except (ValueError, DpldaError):
        return None


def names_text(names: Mapping[int, str]) -> str | None:
    """Names of topics by number, a line each, empty for a topic without one; None for none, or too many for a link."""
    text = "\n".join(names.get(number, "") for number in range(1, max(names, default=0) + 1))
    return text if text and _are_names(text) else None


def read_names(text: str) -> dict[int, str]:
    """The names in a link, by number; none if the text cannot be used."""
    lines = enumerate(map(named, text.split("\n")), start=1) if _are_names(text) else ()
    return {number: name for number, name in lines if name}


def _are_names(text: str) -> bool:
    names = text.split("\n")
    return (
        len(quote(text)) <= LONGEST_NAMES
        and len(names) <= TOPICS[1]
        and max(map(len, names)) <= LONGEST_NAME
    )


def complaints(query: Mapping[str, str]) -> tuple[str, ...]:
    """Sentences on what in a link cannot be used; they never repeat its values."""
    found, method = [], method_in(query)
    if query.get(VERSION_KEY, VERSION) not in (VERSION, *UNNAMED):
        found.append(
            "This link was made by another version of dplda. Settings that both versions know are used."
        )
    corpus = query.get(CORPUS_KEY, DOCSTRINGS)
    checks = {
        Key.CONFIGURATION: query.get(Key.CONFIGURATION) in (None, method.name),
        **{name: _number(name, query) is not None for name in _NUMBERS},
        CORPUS_KEY: corpus in (CorpusKind.UPLOADED, DOCSTRINGS) or read_corpus(corpus) is not None,
        Key.CALIBRATION: query.get(Key.CALIBRATION) == _word(method),
        Key.SPLIT: read_split(method, query.get(Key.SPLIT, "")) is not None,
        EDGES_KEY: read_edges(query.get(EDGES_KEY, "")) is not None,
        Key.NAMES: _are_names(query.get(Key.NAMES, "")),
    }
    wrong = [name for name, usable in checks.items() if name in query and not usable]
    if wrong:
        values = "a value" if len(wrong) == 1 else "values"
        found.append(
            f"The link has {values} that cannot be used: {', '.join(wrong)}. Defaults are used instead."
        )
    return tuple(found)


def method_in(query: Mapping[str, str]) -> Method:
    """The method in a link, or else the first known one, with its recommended calibration by default."""
    asked = query.get(Key.CONFIGURATION, UNNAMED.get(query.get(VERSION_KEY, ""), ""))
    known = next(
        (method for method in private_methods() if method.name == asked), private_methods()[0]
    )
    offered = calibrations(known.name).values()
    return next(
        (method for method in offered if _word(method) == query.get(Key.CALIBRATION)), known
    )


def _word(method: Method) -> str:
    return "" if method.scaling is None else method.scaling.name.lower()


def _number(name: str, query: Mapping[str, str]) -> float | None:
    """One of the sidebar's numbers, if the address holds it and it is in range."""
    try:
        return _NUMBERS[name](query[name])
    except (KeyError, ValueError):
        return None


def _within(low: float, high: float, number: Callable[[str], float]) -> Callable[[str], float]:
    def read(text: str) -> float:
        value = number(text)
        if not low <= value <= high:
            raise ValueError
        return value

    return read


_NUMBERS: dict[str, Callable[[str], float]] = {
    Key.EPSILON: {epsilon_text(step): step for step in EPSILONS}.__getitem__,
    Key.DELTA: {delta_text(step): step for step in DELTAS}.__getitem__,
    Key.N_TOPICS: _within(*TOPICS, int),
    Key.ALPHA0: _within(*ALPHAS, float),
    Key.SEED: _within(*SEEDS, int),
}
_SIMULATED: tuple[Callable[[str], object], ...] = (
    int,
    int,
    int,
    float,
    int,
    LengthLaw,
    float,
    int,
    str,
)
