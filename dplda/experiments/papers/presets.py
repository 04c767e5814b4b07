"""The papers' figures as data: what to compute, what a paper reports, why dplda may differ."""

import tomllib
from dataclasses import dataclass

from dplda.core import assets
from dplda.corpus import Simulation
from dplda.experiments.papers.claims import Claim
from dplda.experiments.sources import Embedded
from dplda.experiments.specs.spec import Sweep
from dplda.privacy.accounting.odds import format_rounded_up


@dataclass(frozen=True, slots=True)
class Preset:
    """One figure or table of a paper.

    Attributes:
        name: its name in addresses and files.
        title: what the paper calls it.
        reports: what the paper reports.
        differs: why dplda may give other numbers.
        chosen: what the paper leaves open, and what was chosen.
        claims: the paper's claims that its numbers test.
        sweep: what to run; None if only stored results exist.
        ran: facts about stored results, documents first.
        measure: the column of results that it shows.
        log_epsilon: whether the paper's ε axis is logarithmic.
    """

    name: str
    title: str
    reports: str
    differs: str
    chosen: str
    claims: tuple[Claim, ...] = ()
    sweep: Sweep | None = None
    ran: tuple[str, ...] = ()
    measure: str = "l1_sum"
    log_epsilon: bool = False

    def described(self) -> tuple[str, ...]:
        """Facts about the run, documents first; a varied number is a range."""
        if self.sweep is None:
            return self.ran
        source = self.sweep.settings[0].source
        if isinstance(source, Simulation):
            size = (
                f"N {source.n_documents:,}",
                f"d {source.n_words:,}",
                f"L {source.mean_length:g}",
            )
            return ("simulated documents", *size, *_of_sweep(self.sweep))
        assert isinstance(source, Embedded)
        at_most = (f"N {source.n_documents:,} at most", f"d {source.n_words:,} at most")
        return ("Python docstrings", *at_most, *_of_sweep(self.sweep))


def _of_sweep(sweep: Sweep) -> tuple[str, ...]:
    """Facts about a sweep of one setting except its documents, and its range of ε."""
    setting = sweep.settings[0]
    epsilons = sweep.epsilons_of(setting)
    ends = dict.fromkeys((min(epsilons), max(epsilons)))
    return (
        f"k {setting.n_topics}",
        f"α₀ {setting.alpha0:g}",
        "ε " + " to ".join(f"{epsilon:,g}" for epsilon in ends),
        f"δ {format_rounded_up(sweep.delta_of(setting))}",
        f"{sweep.repeats} draw{'s' if sweep.repeats > 1 else ''} of noise",
    )


def _presets() -> dict[str, Preset]:
    content = tomllib.loads((assets.folder() / "presets" / "papers.toml").read_text("utf-8"))
    texts = content.pop("texts")
    common = content.pop("sweep")
    presets = {}
    for name, table in content.items():
        for part in ("differs", "chosen"):
            table[part] = table[part].format(**texts)
        table["ran"] = tuple(table.get("ran", ()))
        table["claims"] = tuple(_claim(**claim) for claim in table.get("claims", ()))
        if "sweep" in table:
            table["sweep"] = Sweep.from_table({**common, **table["sweep"]})
        presets[name] = Preset(name=name, **table)
    return presets


def _claim(words: str, better: list[str], worse: list[str], at: str = "all") -> Claim:
    return Claim(words, tuple(better), tuple(worse), at)


PRESETS = _presets()
"""Every preset by name, in the order of the papers."""
