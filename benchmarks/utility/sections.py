"""The questions, each a sweep and what is claimed of its numbers."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.utility import variants
from benchmarks.utility.claims import Claim
from dplda.corpus import Label, Simulation
from dplda.experiments.sweeps import Embedded, FileSource, Setting, Sweep
from dplda.methods.base.method import Method
from dplda.methods.registry import METHODS, parse_method

DELTA = 1e-7
TOPICS = 10
ALPHA0 = 1.0
HELD_OUT = 0.1
EMBEDDED = "Python docstrings"
EPSILONS = (0.3, 0.5, 1.0, 3.0, 10.0)
MORE = 4  # times as many simulated corpora of few words and topics, where draws scatter most
WIDE = 5000  # d of the widest setting
ENDS = (1e-3, 1e-2, 1e4, 1e6)  # of ε
RECORDS = {".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".json"}
ONE_PERCENT = math.log(1.01)


def _simulated(d: int, k: int, alpha0: float, n: int) -> Setting:
    source = Simulation(n_documents=n, n_words=d, n_topics=k, alpha0=alpha0, mean_length=100)
    name = f"d = {d}, k = {k}, α0 = {alpha0:g}, N = {n:,}"
    return Setting(name, source, n_topics=k, alpha0=alpha0)


SIMULATED = tuple(_simulated(100, 3, alpha0, 100_000) for alpha0 in (0.1, 1.0, 10.0))
LARGE = tuple(_simulated(1000, 10, 1.0, n) for n in (100_000, 20_000))


@dataclass(frozen=True, slots=True)
class Section:
    """One question.

    Attributes:
        sweep: whose numbers answer it.
        claims: on these.
    """

    sweep: Sweep
    claims: tuple[Claim, ...]


def documents(
    corpora: Sequence[str], *, text: str | None, words: int = 1000, embedded_words: int = 500
) -> tuple[Setting, ...]:
    """Settings of real text: the embedded corpus, then those given.

    Args:
        corpora: ``NAME=PATH`` of each.
        text: column or key of those that are CSV or JSON lines.
        words: ``d`` of those given.
        embedded_words: ``d`` of the embedded one; 0 leaves it out.
    """
    settings = []
    if embedded_words:
        settings.append(Setting(EMBEDDED, Embedded(n_words=embedded_words), TOPICS, ALPHA0))
    for corpus in corpora:
        name, _, path = corpus.partition("=")
        column = text if RECORDS & set(Path(path).suffixes) else None
        source = FileSource(path, label=Label.PUBLIC, text=column, n_words=words)
        settings.append(Setting(name, source, TOPICS, ALPHA0))
    return tuple(settings)


def sections(texts: tuple[Setting, ...], *, repeats: int) -> dict[str, Section]:
    """Every section by name.

    Args:
        texts: real text, as ``documents`` gives it; what varies k, α0 and d takes those that are files, where some are.
        repeats: draws of noise; simulated sections draw as many corpora instead, of few words ``MORE`` times
            as many.
    """
    refined = variants.REFINED
    adaptive = parse_method("adaptive")
    dp_vi = parse_method("dp-vi")
    unigram = variants.private_unigram()
    methods = [
        method
        for method in METHODS.values()
        if method.name != "refined-english"  # whose table is of these texts
    ]
    all_methods = tuple({method.key: method for method in (*methods, unigram)}.values())
    rival_claims = tuple(
        Claim(f"below {rival.title}", (refined,), rival, upper_limit=0.0)
        for rival in (adaptive, dp_vi)
    )
    unigram_claim = Claim(
        "at most 1 % worse than the private unigram",
        tuple(method for method in all_methods if method.needs_epsilon and method is not unigram),
        unigram,
        upper_limit=ONE_PERCENT,
    )
    adaptive_claim = Claim(
        "at most 3 % worse than Adaptive", (refined,), adaptive, upper_limit=math.log(1.03)
    )
    text_sweep = Sweep(texts, (refined,), EPSILONS, DELTA, repeats, held_out=HELD_OUT)
    grid_sweep = replace(
        text_sweep,
        settings=tuple(_varied(texts)),
        methods=(adaptive, dp_vi, unigram, refined),
        epsilons=(1.0, 3.0),
    )
    simulated_sweep = Sweep(
        SIMULATED, (adaptive, refined), EPSILONS[:-1], DELTA, corpora=MORE * repeats
    )
    large_sweep = replace(simulated_sweep, settings=LARGE, corpora=repeats)
    return {
        "text": Section(replace(text_sweep, methods=all_methods), (unigram_claim, *rival_claims)),
        "simulated": Section(simulated_sweep, (adaptive_claim,)),
        "simulated-large": Section(large_sweep, (adaptive_claim,)),
        "grid": Section(grid_sweep, rival_claims),
        "limits": _limits_section(text_sweep, refined, unigram),
    }


def _limits_section(text_sweep: Sweep, refined: Method, unigram: Method) -> Section:
    """Refined at very small and very large ε, beside what it should be like there."""
    noiseless = variants.noiseless()
    near_unigram = Claim(
        "within 1 % of the private unigram",
        (refined,),
        unigram,
        lower_limit=-ONE_PERCENT,
        upper_limit=ONE_PERCENT,
        epsilons=ENDS[:1],
    )
    near_noiseless = Claim(
        "within 1 % of the gap to the private unigram from its noiseless twin",
        (refined,),
        noiseless,
        lower_limit=-0.01,
        upper_limit=0.01,
        gap=unigram,
        epsilons=ENDS[-1:],
    )
    sweep = replace(text_sweep, methods=(noiseless, unigram, refined), epsilons=ENDS)
    return Section(sweep, (near_unigram, near_noiseless))


def _varied(texts: tuple[Setting, ...]) -> Iterator[Setting]:
    """Real text with other numbers of topics and other α₀, and the first file with more words."""
    files = tuple(text for text in texts if isinstance(text.source, FileSource))
    for text in files or texts:
        for k in (5, 20, 50):
            yield replace(text, name=f"{text.name}, k = {k}", n_topics=k)
        for alpha0 in (0.1, 1.0, 10.0):
            yield replace(text, name=f"{text.name}, α0 = {alpha0:g}", alpha0=alpha0)
    for text in files[:1]:
        yield replace(
            text, name=f"{text.name}, d = {WIDE:,}", source=replace(text.source, n_words=WIDE)
        )
