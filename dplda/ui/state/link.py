"""Permalinks: which settings travel in the address, what is wrong with those that came, the link to copy."""

from collections.abc import Callable, Mapping
from urllib.parse import urlencode, urlsplit, urlunsplit

from dplda.core.errors import DpldaError
from dplda.corpus import LengthLaw, Simulation
from dplda.experiments.settings import CorpusKind, Settings
from dplda.methods import budget
from dplda.methods.method import Method
from dplda.methods.problem import Budget, Origin, Problem
from dplda.methods.registry import calibrations, private_methods
from dplda.ui.state.keys import Key

VERSION_KEY, VERSION = "v", "3"
UNNAMED = {"1": "adaptive", "2": ""}  # what a link of that version means where it names no method
CORPUS_KEY = "corpus"
DOCSTRINGS = "docstrings"
DRAW_KEY, OWN = "draw", "own"  # each who opens the link draws a noise seed of their own
SHOWN_KEY = "shown"  # on Error curves: which figure

EPSILONS = (0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
DELTAS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
TOPICS = (2, 40)
ALPHAS = (0.01, 100.0)
SEEDS = (0, 2**31 - 1)
DEFAULTS: dict[str, float] = {Key.EPSILON: 3, Key.DELTA: 1e-7, Key.N_TOPICS: 3, Key.ALPHA0: 0.1, Key.SEED: 0}
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
    settings: Settings, kind: CorpusKind, simulation: Simulation | None, shown: str | None = None
) -> dict[str, str]:
    """The parameters of an address that restores an experiment."""
    numbers = {name: text for name, (_, text) in _numbers(settings).items()}
    others = {
        Key.CALIBRATION: calibration_text(settings.method),
        Key.SPLIT: split_text(settings.budget),
        CORPUS_KEY: corpus_text(kind, simulation),
        SHOWN_KEY: shown,
    }
    known = {name: text for name, text in others.items() if text is not None}
    return {VERSION_KEY: VERSION, Key.CONFIGURATION: settings.method.name, **numbers, **known}


def read(query: Mapping[str, str]) -> Settings:
    """The experiment of an address, with defaults for what it lacks or what cannot be used."""
    method, numbers, text = method_in(query), read_numbers(query), query.get(Key.SPLIT, "")
    split = read_split(method, text)
    return Settings(
        method,
        Problem(int(numbers[Key.N_TOPICS]), numbers[Key.ALPHA0]),
        Budget(numbers[Key.EPSILON], numbers[Key.DELTA])
        if split is None
        else Budget(numbers[Key.EPSILON], numbers[Key.DELTA], split.shares, chosen=read_origin(text)),
        int(numbers[Key.SEED]),
    )


def with_query(address: str, query: Mapping[str, object]) -> str:
    """The address of the same page with another query."""
    parts = urlsplit(address)
    return urlunsplit((parts.scheme, parts.netloc, parts.path, urlencode(query), ""))


def numbers_text(settings: Settings) -> dict[str, str | None]:
    """The sidebar's numbers by name as they stand in the address; None for one that a new visitor meets."""
    return {name: None if value == DEFAULTS[name] else text for name, (value, text) in _numbers(settings).items()}


def _numbers(settings: Settings) -> dict[str, tuple[float, str]]:
    """The sidebar's numbers by name, and as they are written."""
    return {
        Key.EPSILON: (settings.budget.epsilon, epsilon_text(settings.budget.epsilon)),
        Key.DELTA: (settings.budget.delta, delta_text(settings.budget.delta)),
        Key.N_TOPICS: (settings.problem.n_topics, str(settings.problem.n_topics)),
        Key.ALPHA0: (settings.problem.alpha0, f"{settings.problem.alpha0:g}"),
        Key.SEED: (settings.seed, str(settings.seed)),
    }


def read_numbers(query: Mapping[str, str]) -> dict[str, float]:
    """The sidebar's numbers by name, those of a link where it holds them and they are in range."""
    read: dict[str, Callable[[str], float]] = {
        Key.EPSILON: lambda text: next(step for step in EPSILONS if epsilon_text(step) == text),
        Key.DELTA: lambda text: next(step for step in DELTAS if delta_text(step) == text),
        Key.N_TOPICS: int,
        Key.ALPHA0: float,
        Key.SEED: int,
    }
    usable = {name: query[name] for name in read if name in query and _ALLOWED[name](query[name])}
    first = DEFAULTS | EARLIER if query.get(VERSION_KEY) in UNNAMED else DEFAULTS
    return first | {name: read[name](text) for name, text in usable.items()}


def name_text(method: Method) -> str | None:
    """A method's name as it stands in the address; None for the one that a new visitor meets."""
    return None if method.name == private_methods()[0].name else method.name


_ORIGINS: dict[Origin, tuple[str, ...]] = {
    Origin.BEFOREHAND: (),
    Origin.REFERENCE: ("simulated",),
    Origin.DOCUMENTS: ("documents",),
}


def calibration_text(method: Method) -> str | None:
    """A method's calibration as one word of a link; None where it is the recommended one, or there is no choice."""
    return None if method.recommended else _word(method)


def read_calibration(name: str, text: str) -> Method | None:
    """The method of this name under the calibration that a link asks for, or None when it has none of that name."""
    return next((method for method in calibrations(name).values() if _word(method) == text), None)


def split_text(spent: Budget) -> str | None:
    """A budget's split in thousandths as one word of a link, and where it comes from; None where it is the own one."""
    if not spent.split:
        return None
    return "_".join([*map(str, budget.in_steps(budget.of(spent.split))), *_ORIGINS[spent.chosen]])


def read_origin(text: str) -> Origin:
    """Where the split of a link comes from."""
    last = text.rpartition("_")[2]
    return next((origin for origin, words in _ORIGINS.items() if (last,) == words), Origin.BEFOREHAND)


def read_split(method: Method, text: str) -> budget.Split | None:
    """The split that a link asks for, or None when the text is none for this method."""
    try:
        steps = [int(part) for part in text.removesuffix("_" + "".join(_ORIGINS[read_origin(text)])).split("_")]
        return budget.from_steps(method.quantities, steps)
    except (ValueError, DpldaError):
        return None


def corpus_text(kind: CorpusKind, simulation: Simulation | None) -> str | None:
    """A corpus as one word of a link; None where it needs none. An uploaded one is not found again by it."""
    if kind is CorpusKind.EMBEDDED:
        return DOCSTRINGS
    if kind is CorpusKind.UPLOADED:
        return kind
    if simulation is None or simulation == TEACHING:
        return None
    s = simulation
    shape = (s.n_documents, s.n_words, s.n_topics, f"{s.alpha0:g}", s.mean_length)
    law = (s.lengths, f"{s.topic_concentration:g}", s.seed, *filter(None, (s.newspaper,)))
    return "_".join(str(part) for part in (CorpusKind.SIMULATED, *shape, *law))


def read_corpus(text: str) -> Simulation | None:
    """The simulation that a link asks for, or None when the text is no such thing or out of range."""
    parts = text.split("_", 9)  # the name of a newspaper comes last, and may have more of them
    if not 9 <= len(parts) <= 10 or parts[0] != CorpusKind.SIMULATED:
        return None
    try:
        return Simulation(
            n_documents=int(parts[1]),
            n_words=int(parts[2]),
            n_topics=int(parts[3]),
            alpha0=float(parts[4]),
            mean_length=int(parts[5]),
            lengths=LengthLaw(parts[6]),
            topic_concentration=float(parts[7]),
            seed=int(parts[8]),
            newspaper=parts[9] if len(parts) == 10 else "",
        )
    except (ValueError, DpldaError):
        return None


def complaints(query: Mapping[str, str]) -> tuple[str, ...]:
    """Sentences on what in a link cannot be used; what came is never repeated in them."""
    found = []
    if query.get(VERSION_KEY, VERSION) not in (VERSION, *UNNAMED):
        found.append("This link was made by another version of dplda: what both versions know was taken over.")
    wrong = [name for name, allowed in _ALLOWED.items() if name in query and not allowed(query[name])]
    corpus = query.get(CORPUS_KEY, DOCSTRINGS)
    if corpus not in (CorpusKind.UPLOADED, DOCSTRINGS) and read_corpus(corpus) is None:
        wrong.append(CORPUS_KEY)
    wrong += _wrong_choices(query)
    if wrong:
        values = "the value" if len(wrong) == 1 else "the values"
        found.append(f"The link holds {values} of {', '.join(wrong)} out of range: the sidebar shows what is used.")
    return tuple(found)


def method_in(query: Mapping[str, str]) -> Method:
    """The method that a link asks for: of those known the one that stands first, and its recommended calibration."""
    asked = query.get(Key.CONFIGURATION, UNNAMED.get(query.get(VERSION_KEY, ""), ""))
    known = next((method for method in private_methods() if method.name == asked), private_methods()[0])
    return read_calibration(known.name, query.get(Key.CALIBRATION, "")) or known


def _wrong_choices(query: Mapping[str, str]) -> list[str]:
    """What does not fit the link's own method."""
    method, wrong = method_in(query), []
    if Key.CALIBRATION in query and _word(method) != query[Key.CALIBRATION]:
        wrong.append(str(Key.CALIBRATION))
    if Key.SPLIT in query and read_split(method, query[Key.SPLIT]) is None:
        wrong.append(str(Key.SPLIT))
    return wrong


def _word(method: Method) -> str:
    return "" if method.scaling is None else method.scaling.name.lower()


def _within(low: float, high: float, number: Callable[[str], float]) -> Callable[[str], bool]:
    def allowed(text: str) -> bool:
        try:
            return low <= number(text) <= high
        except ValueError:
            return False

    return allowed


_ALLOWED: dict[str, Callable[[str], bool]] = {
    Key.CONFIGURATION: lambda text: text in [method.name for method in private_methods()],
    Key.EPSILON: lambda text: text in map(epsilon_text, EPSILONS),
    Key.DELTA: lambda text: text in map(delta_text, DELTAS),
    Key.N_TOPICS: _within(*TOPICS, int),
    Key.ALPHA0: _within(*ALPHAS, float),
    Key.SEED: _within(*SEEDS, int),
}
