"""Permalinks: the experiment in an address, and what in an address cannot be used."""

from collections.abc import Callable, Mapping
from dataclasses import astuple
from urllib.parse import quote

from dplda.core.errors import DpldaError
from dplda.corpus import LengthLaw, Simulation
from dplda.corpus.group_columns import LONGEST_LABEL
from dplda.evaluation.relevance import MAX_NAME_CHARACTERS, clean_topic_name
from dplda.experiments.experiment import CorpusKind, CorpusSource, Experiment, HeldDocuments
from dplda.experiments.shares_choice import SharesChoice
from dplda.experiments.sources import Embedded
from dplda.flow import SPECTRAL
from dplda.methods.base.method import Method
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.configurations import split as splits
from dplda.methods.registry import calibrations, private_methods
from dplda.ui.state.keys import Key

VERSION_KEY = "v"
VERSION = "3"
UNNAMED = {"1": "adaptive", "2": ""}  # what a link of that version means where it names no method
CORPUS_KEY = "corpus"
DOCSTRINGS = "docstrings"
DRAW_KEY = "draw"
OWN = "own"  # each who opens the link draws a noise seed of their own
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
TABLE_EPSILONS = (0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0)
"""ε of a table of topic shares by group."""
DELTAS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
TOPICS = (2, 40)
ALPHAS = (0.01, 1000.0)
SEEDS = (0, 2**31 - 1)
LONGEST_NAMES = 6_000  # characters of an address: forty long names in English
DEFAULTS: dict[str, float] = {
    Key.EPSILON: 3,
    Key.DELTA: 1e-7,
    Key.N_TOPICS: 3,
    Key.ALPHA0: 0.1,
    Key.SEED: 0,
}
EARLIER: dict[str, float] = {
    Key.N_TOPICS: 10
}  # defaults of versions 1 and 2, whose documents were the docstrings
TEACHING = Simulation(
    n_documents=100_000, n_words=100, n_topics=3, alpha0=0.1, mean_length=60, newspaper="english"
)  # what a new visitor sees: every configuration finds its topics


def epsilon_text(epsilon: float) -> str:
    """ε as shown and as in a link."""
    return f"{epsilon:g}"


def delta_text(delta: float) -> str:
    """δ as shown and as in a link, e.g. ``1e-7``."""
    return f"{delta:.0e}".replace("e-0", "e-")


def query(experiment: Experiment) -> dict[str, str | None]:
    """The parameters of an address that restores an experiment; None for defaults."""
    parameters = _texts(experiment)
    for name, default in _texts(read({})).items():
        if parameters[name] == default:
            parameters[name] = None
    return parameters | {CORPUS_KEY: corpus_text(experiment.corpus)} | _shares_texts(experiment)


def _shares_texts(experiment: Experiment) -> dict[str, str | None]:
    """Parameters of a table of topic shares by group; none where topics alone are asked for.

    Its ε is always written: it says that there is a table.
    """
    shares = experiment.shares
    if shares is None:
        return {}
    return {
        Key.GROUPS_BY: shares.column or None,
        Key.GROUPS_EPSILON: epsilon_text(shares.epsilon),
    }


def _texts(experiment: Experiment) -> dict[str, str | None]:
    """Write every parameter of a link, also those with default values; documents are left out.

    Calibration and split are None where the recommended and the default one are meant. A table of
    shares by group is left out, too.
    """
    method = experiment.registered_method
    problem = experiment.problem
    return {
        Key.CONFIGURATION: method.name,
        Key.CALIBRATION: None if method.is_recommended else _calibration_text(method),
        Key.EPSILON: epsilon_text(experiment.budget.epsilon),
        Key.DELTA: delta_text(experiment.budget.delta),
        Key.N_TOPICS: str(problem.n_topics),
        Key.ALPHA0: f"{problem.alpha0:g}",
        Key.SEED: str(experiment.seed),
        Key.SPLIT: _split_text(experiment.budget.split),
    }


def _split_text(shares: tuple[tuple[str, float], ...]) -> str | None:
    """Shares of the budget in thousandths; None for the default split."""
    if not shares:
        return None
    thousandths = splits.to_thousandths(splits.split_from_shares(shares))
    return "_".join(map(str, thousandths))


def read(query: Mapping[str, str]) -> Experiment:
    """Read the experiment in an address, with defaults for missing or unusable values.

    Defaults of numbers are those of the version that made the link. Documents that cannot be read
    are those of ``TEACHING``.
    """
    method = method_in(query)
    custom_split = read_split(method, query.get(Key.SPLIT, ""))
    is_of_earlier_version = query.get(VERSION_KEY) in UNNAMED
    number_by_key = dict(DEFAULTS)
    if is_of_earlier_version:
        number_by_key.update(EARLIER)
    for key in _NUMBERS:
        usable_number = _number(key, query)
        if usable_number is not None:
            number_by_key[key] = usable_number
    return Experiment(
        corpus=corpus_in(query) or TEACHING,
        method=method.spec,
        problem=Problem(int(number_by_key[Key.N_TOPICS]), number_by_key[Key.ALPHA0]),
        budget=Budget(
            number_by_key[Key.EPSILON],
            number_by_key[Key.DELTA],
            custom_split.shares if custom_split else (),
        ),
        seed=int(number_by_key[Key.SEED]),
        shares=read_shares(query),
    )


def read_shares(query: Mapping[str, str]) -> SharesChoice | None:
    """The table of topic shares in a link; None if it has none, or an ε that cannot be used."""
    epsilon = _TABLE_STEPS.get(query.get(Key.GROUPS_EPSILON, ""))
    column = query.get(Key.GROUPS_BY, "")
    if epsilon is None or not _is_column(column):
        return None
    return SharesChoice(column=column, epsilon=epsilon)


def _is_column(name: str) -> bool:
    return len(name) <= LONGEST_LABEL and name.isprintable()


def read_split(method: Method, text: str) -> splits.Split | None:
    """The split in a link, or None if the text is not one for this method."""
    try:
        return splits.from_thousandths(method.quantities, [int(part) for part in text.split("_")])
    except (ValueError, DpldaError):
        return None


def read_edges(text: str) -> list[str] | None:
    """The edges in a link, or None if one of them does not exist."""
    names = text.split("_") if text else []
    if not set(names) <= set(EDGES):
        return None
    return [edge for edge in EDGES if edge in names]


def corpus_text(source: CorpusSource) -> str | None:
    """Write a source of documents as one word of a link; None for the default.

    A simulation is its values, without empty texts; fractions have six significant digits.
    The docstrings that dplda brings along have a word of their own.
    Documents that somebody holds are only marked as uploaded: the word does not restore them.
    """
    if source == TEACHING:
        return None
    if isinstance(source, Embedded):
        return DOCSTRINGS
    if not isinstance(source, Simulation):
        return CorpusKind.UPLOADED
    simulation_arguments = (argument for argument in astuple(source) if argument != "")
    argument_texts = (
        f"{argument:g}" if isinstance(argument, float) else str(argument)
        for argument in simulation_arguments
    )
    return "_".join((CorpusKind.SIMULATED, *argument_texts))


def corpus_in(query: Mapping[str, str]) -> CorpusSource | None:
    """Read the source of documents in a link; None if its word is unknown, or out of range.

    Without a word, it is the default of the version that made the link. Documents that somebody
    holds come back only as marked.
    """
    corpus_word = query.get(CORPUS_KEY, "")
    if not corpus_word:
        if query.get(VERSION_KEY) in UNNAMED:
            return Embedded()
        return TEACHING
    if corpus_word == DOCSTRINGS:
        return Embedded()
    if corpus_word == CorpusKind.UPLOADED:
        return HeldDocuments()
    return read_simulation(corpus_word)


def read_simulation(text: str) -> Simulation | None:
    """Read the simulation in a link; None if the text is not one, or out of range.

    The last value, the name of a newspaper, may be missing.
    """
    # The name of a newspaper comes last, and may hold more of the signs at which it is cut.
    corpus_kind, *argument_texts = text.split("_", len(_SIMULATION_READERS))
    if corpus_kind != CorpusKind.SIMULATED or len(argument_texts) < len(_SIMULATION_READERS) - 1:
        return None
    make_simulation: Callable[..., Simulation] = Simulation
    reader_text_pairs = zip(_SIMULATION_READERS, argument_texts, strict=False)
    try:
        return make_simulation(*(read_text(text) for read_text, text in reader_text_pairs))
    except (ValueError, DpldaError):
        return None


def names_text(name_by_number: Mapping[int, str]) -> str | None:
    """Names of topics, a line for each number from 1, empty for a topic without one.

    None for none, or where they are too many or too long for a link.
    """
    text = "\n".join(
        name_by_number.get(number, "") for number in range(1, max(name_by_number, default=0) + 1)
    )
    if not text or not _are_names(text):
        return None
    return text


def read_names(text: str) -> dict[int, str]:
    """The names in a link, by number; none if the text cannot be used."""
    if not _are_names(text):
        return {}
    lines = enumerate(map(clean_topic_name, text.split("\n")), start=1)
    return {number: name for number, name in lines if name}


def _are_names(text: str) -> bool:
    """Whether a text can be names of topics: not too long, too many, or too long one by one."""
    names = text.split("\n")
    return (
        len(quote(text)) <= LONGEST_NAMES
        and len(names) <= TOPICS[1]
        and max(map(len, names)) <= MAX_NAME_CHARACTERS
    )


def complaints(query: Mapping[str, str]) -> tuple[str, ...]:
    """Write sentences on a link's other version and unusable values; empty if all is well.

    A link of an earlier version, or without a version, gets no sentence on its version.
    Sentences name parameters and never repeat their values.
    """
    sentences = []
    if query.get(VERSION_KEY, VERSION) not in (VERSION, *UNNAMED):
        sentences.append(
            "This link was made by another version of dplda. Settings that both versions know"
            " are used."
        )
    unusable_names = [
        name for name, is_usable in _usable(query).items() if name in query and not is_usable
    ]
    if unusable_names:
        values_phrase = "a value" if len(unusable_names) == 1 else "values"
        sentences.append(
            f"The link has {values_phrase} that cannot be used: {', '.join(unusable_names)}."
            " Defaults are used instead."
        )
    return tuple(sentences)


def _usable(query: Mapping[str, str]) -> dict[str, bool]:
    """Whether each parameter has a usable value, by name, in the order of complaints.

    For a parameter that the link lacks, the value means nothing.
    """
    method = method_in(query)
    return {
        Key.CONFIGURATION: query.get(Key.CONFIGURATION) in (None, method.name),
        **{number_key: _number(number_key, query) is not None for number_key in _NUMBERS},
        CORPUS_KEY: bool(query.get(CORPUS_KEY)) and corpus_in(query) is not None,
        Key.CALIBRATION: query.get(Key.CALIBRATION) == _calibration_text(method),
        Key.SPLIT: read_split(method, query.get(Key.SPLIT, "")) is not None,
        EDGES_KEY: read_edges(query.get(EDGES_KEY, "")) is not None,
        Key.NAMES: _are_names(query.get(Key.NAMES, "")),
        Key.GROUPS_BY: _is_column(query.get(Key.GROUPS_BY, "")),
        Key.GROUPS_EPSILON: query.get(Key.GROUPS_EPSILON, "") in _TABLE_STEPS,
    }


def method_in(query: Mapping[str, str]) -> Method:
    """Find the method in a link, in the link's calibration, or else its recommended one.

    A missing name means the default of the link's version; an unknown one, the first method.
    """
    default_name = UNNAMED.get(query.get(VERSION_KEY, ""), "")
    method_name = query.get(Key.CONFIGURATION, default_name)
    listed_methods = private_methods()
    method_of_name = next(
        (method for method in listed_methods if method.name == method_name), listed_methods[0]
    )
    for calibrated_method in calibrations(method_of_name.name).values():
        if _calibration_text(calibrated_method) == query.get(Key.CALIBRATION):
            return calibrated_method
    return method_of_name


def _calibration_text(method: Method) -> str:
    """A method's calibration as a word of a link; empty for a method without calibrations."""
    if method.scaling is None:
        return ""
    return method.scaling.name.lower()


def _number(name: str, query: Mapping[str, str]) -> float | None:
    """One of the sidebar's numbers, if the address holds it and it is in range."""
    try:
        return _NUMBERS[name](query[name])
    except (KeyError, ValueError):
        return None


def _within(low: float, high: float, read_number: Callable[[str], float]) -> Callable[[str], float]:
    """Make a reader of numbers from ``low`` to ``high``; it raises ``ValueError`` for others."""

    def read_in_range(text: str) -> float:
        """The number in a text; ``ValueError`` if it is none, or out of range."""
        number = read_number(text)
        if not low <= number <= high:
            raise ValueError
        return number

    return read_in_range


_TABLE_STEPS = {epsilon_text(step): step for step in TABLE_EPSILONS}
_NUMBERS: dict[str, Callable[[str], float]] = {
    Key.EPSILON: {epsilon_text(step): step for step in EPSILONS}.__getitem__,
    Key.DELTA: {delta_text(step): step for step in DELTAS}.__getitem__,
    Key.N_TOPICS: _within(*TOPICS, int),
    Key.ALPHA0: _within(*ALPHAS, float),
    Key.SEED: _within(*SEEDS, int),
}
_SIMULATION_READERS: tuple[Callable[[str], object], ...] = (
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
