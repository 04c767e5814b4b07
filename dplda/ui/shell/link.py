"""Permalinks: which settings travel in the address, what is wrong with those that came, the link to copy."""

from collections.abc import Callable, Mapping
from urllib.parse import urlencode, urlsplit, urlunsplit

from dplda import budget
from dplda.configurations import REGISTRY, Calibration
from dplda.corpus import LengthLaw, Simulation
from dplda.errors import DpldaError
from dplda.plan import Origin, Plan
from dplda.report import CorpusKind, Settings
from dplda.ui.shell.keys import Key

VERSION_KEY, VERSION = "v", "1"
CORPUS_KEY = "corpus"

EPSILONS = (0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
DELTAS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
TOPICS = (2, 40)
ALPHAS = (0.01, 100.0)
SEEDS = (0, 2**31 - 1)


def epsilon_text(epsilon: float) -> str:
    """ε as shown and as in a link."""
    return f"{epsilon:g}"


def delta_text(delta: float) -> str:
    """δ as shown and as in a link, e.g. ``1e-7``."""
    return f"{delta:.0e}".replace("e-0", "e-")


def link(address: str, settings: Settings, kind: CorpusKind, simulation: Simulation | None) -> str:
    """The address that restores an experiment.

    Args:
        address: of the page, whatever its query.
        settings: the sidebar's.
        kind: where the documents come from; nothing about an uploaded corpus is written.
        simulation: how they were drawn, where they were.
    """
    query = {
        VERSION_KEY: VERSION,
        Key.CONFIGURATION: settings.plan.configuration,
        Key.EPSILON: epsilon_text(settings.plan.epsilon),
        Key.DELTA: delta_text(settings.plan.delta),
        Key.N_TOPICS: str(settings.n_topics),
        Key.ALPHA0: f"{settings.alpha0:g}",
        Key.SEED: str(settings.seed),
    }
    for name, written in (
        (Key.CALIBRATION, calibration_text(settings.plan)),
        (Key.SPLIT, split_text(settings.plan)),
        (CORPUS_KEY, corpus_text(kind, simulation)),
    ):
        if written is not None:
            query[name] = written
    parts = urlsplit(address)
    return urlunsplit((parts.scheme, parts.netloc, parts.path, urlencode(query), ""))


def configuration_text(plan: Plan) -> str | None:
    """A plan's configuration as it stands in the address; None for the one that a new visitor meets."""
    return None if plan.configuration == next(iter(REGISTRY)) else plan.configuration


_ORIGINS: dict[Origin, tuple[str, ...]] = {
    Origin.BEFOREHAND: (),
    Origin.REFERENCE: ("simulated",),
    Origin.DOCUMENTS: ("documents",),
}


def calibration_text(plan: Plan) -> str | None:
    """A plan's calibration as one word of a link; None where it is the configuration's own."""
    assert plan.calibration is not None
    if plan.calibration is REGISTRY[plan.configuration].default_calibration:
        return None
    return plan.calibration.name.lower()


def read_calibration(configuration: str, text: str) -> Calibration | None:
    """The calibration that a link asks for, or None when the configuration has none of that name."""
    variants = REGISTRY[configuration].variants
    return next((calibration for calibration in variants if calibration.name.lower() == text), None)


def split_text(plan: Plan) -> str | None:
    """A plan's split in thousandths as one word of a link, and where it comes from; None where it is the own one."""
    if not plan.split:
        return None
    return "_".join([*map(str, budget.in_steps(budget.of(plan.split))), *_ORIGINS[plan.chosen]])


def read_origin(text: str) -> Origin:
    """Where the split of a link comes from."""
    last = text.rpartition("_")[2]
    return next((origin for origin, words in _ORIGINS.items() if (last,) == words), Origin.BEFOREHAND)


def read_split(configuration: str, calibration: Calibration, text: str) -> budget.Split | None:
    """The split that a link asks for, or None when the text is none for this configuration."""
    try:
        steps = [int(part) for part in text.removesuffix("_" + "".join(_ORIGINS[read_origin(text)])).split("_")]
        return budget.from_steps(REGISTRY[configuration].variants[calibration].quantities, steps)
    except (ValueError, DpldaError):
        return None


def corpus_text(kind: CorpusKind, simulation: Simulation | None) -> str | None:
    """A corpus as one word of a link; None where it needs none or may have none."""
    if kind is not CorpusKind.SIMULATED or simulation is None:
        return None
    s = simulation
    shape = (s.n_documents, s.n_words, s.n_topics, f"{s.alpha0:g}", s.mean_length)
    law = (s.lengths, f"{s.topic_concentration:g}", s.seed)
    return "_".join(str(part) for part in (CorpusKind.SIMULATED, *shape, *law))


def read_corpus(text: str) -> Simulation | None:
    """The simulation that a link asks for, or None when the text is no such thing or out of range."""
    parts = text.split("_")
    if len(parts) != 9 or parts[0] != CorpusKind.SIMULATED:
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
        )
    except (ValueError, DpldaError):
        return None


def complaints(query: Mapping[str, str]) -> tuple[str, ...]:
    """Sentences on what in a link cannot be used; what came is never repeated in them."""
    found = []
    if query.get(VERSION_KEY, VERSION) != VERSION:
        found.append("This link was made by another version of dplda: what both versions know was taken over.")
    wrong = [name for name, allowed in _ALLOWED.items() if name in query and not allowed(query[name])]
    if CORPUS_KEY in query and read_corpus(query[CORPUS_KEY]) is None:
        wrong.append(CORPUS_KEY)
    wrong += _wrong_plan(query)
    if wrong:
        values = "the value" if len(wrong) == 1 else "the values"
        found.append(f"The link holds {values} of {', '.join(wrong)} out of range: the sidebar shows what is used.")
    return tuple(found)


def configuration_in(query: Mapping[str, str]) -> str:
    """The configuration that a link asks for, or the one that stands first."""
    asked = query.get(Key.CONFIGURATION, "")
    return asked if asked in REGISTRY else next(iter(REGISTRY))


def _wrong_plan(query: Mapping[str, str]) -> list[str]:
    """What does not fit the link's own configuration."""
    configuration, wrong = configuration_in(query), []
    calibration = REGISTRY[configuration].default_calibration
    if Key.CALIBRATION in query:
        asked = read_calibration(configuration, query[Key.CALIBRATION])
        if asked is None:
            wrong.append(str(Key.CALIBRATION))
        calibration = asked or calibration
    if Key.SPLIT in query and read_split(configuration, calibration, query[Key.SPLIT]) is None:
        wrong.append(str(Key.SPLIT))
    return wrong


def _within(low: float, high: float, number: Callable[[str], float]) -> Callable[[str], bool]:
    def allowed(text: str) -> bool:
        try:
            return low <= number(text) <= high
        except ValueError:
            return False

    return allowed


_ALLOWED: dict[str, Callable[[str], bool]] = {
    Key.CONFIGURATION: lambda text: text in REGISTRY,
    Key.EPSILON: lambda text: text in map(epsilon_text, EPSILONS),
    Key.DELTA: lambda text: text in map(delta_text, DELTAS),
    Key.N_TOPICS: _within(*TOPICS, int),
    Key.ALPHA0: _within(*ALPHAS, float),
    Key.SEED: _within(*SEEDS, int),
}
