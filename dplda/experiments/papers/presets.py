"""The papers' figures as data: what to compute, what a paper reports, why dplda may differ."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from dplda.core import assets
from dplda.core.formatting import counted
from dplda.corpus import Simulation
from dplda.experiments.papers.claims import Claim
from dplda.experiments.papers.minibatches import Minibatches
from dplda.experiments.papers.readings import PAPER_READINGS, method_text
from dplda.experiments.papers.spectra import PairSpectrum, TensorGaps
from dplda.experiments.papers.study import Study
from dplda.experiments.papers.top_words import SpectralWords, VariationalWords
from dplda.experiments.sources import Embedded
from dplda.experiments.specs.spec import Sweep
from dplda.privacy.accounting.odds import format_rounded_up

STUDIES: dict[str, Study] = {
    "pair spectrum": PairSpectrum(),
    "tensor gaps": TensorGaps(),
    "spectral words": SpectralWords(),
    "minibatches": Minibatches(),
    "variational words": VariationalWords(),
}
"""Figures and tables that are no sweeps, by the name in the file of presets."""


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
        sweep: what to run; None for a study.
        study: what to run that is no sweep; None for a sweep.
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
    study: Study | None = None
    measure: str = "l1_sum"
    log_epsilon: bool = False

    def described(self) -> tuple[str, ...]:
        """Facts about the run, one short text each, documents first; a varied ε is a range.

        They are those of the first setting of a sweep, which is simulated or embedded. A preset
        without a sweep has the facts of its study, and none if it has neither.
        """
        if self.sweep is None:
            return () if self.study is None else self.study.describe()
        source = self.sweep.settings[0].source
        sweep_facts = _describe_sweep(self.sweep)
        if isinstance(source, Simulation):
            return (
                "simulated documents",
                f"N {source.n_documents:,}",
                f"d {source.n_words:,}",
                f"L {source.mean_length:,}",
                *sweep_facts,
            )
        assert isinstance(source, Embedded)
        return (
            "Python docstrings",
            f"N {source.n_documents:,} at most",
            f"d {source.n_words:,} at most",
            *sweep_facts,
        )


def _describe_sweep(sweep: Sweep) -> tuple[str, ...]:
    """Facts about a sweep's first setting, except its documents: k, α₀, range of ε, δ and draws.

    The draws are those on all its corpora together.

    Raises:
        ValueError: the setting has no ε.
    """
    setting = sweep.settings[0]
    epsilons = sweep.epsilons_of(setting)
    smallest_epsilon = f"{min(epsilons):,g}"
    largest_epsilon = f"{max(epsilons):,g}"
    epsilon_range = (
        smallest_epsilon
        if smallest_epsilon == largest_epsilon
        else f"{smallest_epsilon} to {largest_epsilon}"
    )
    n_draws = sweep.n_corpora(setting) * sweep.repeats
    return (
        f"k {setting.n_topics}",
        f"α₀ {setting.alpha0:g}",
        f"ε {epsilon_range}",
        f"δ {format_rounded_up(sweep.delta_of(setting))}",
        f"{counted(n_draws, 'draw')} of noise",
    )


def _read_presets() -> dict[str, Preset]:
    """Read the presets of the papers' figures, by name.

    Texts that presets share are filled in. The table of a sweep is laid over the one that all
    sweeps share; a claim becomes one for each reading of the paper whose methods the sweep has.
    """
    path = assets.folder() / "presets" / "papers.toml"
    content = tomllib.loads(path.read_text("utf-8"))
    shared_texts = content.pop("texts")
    common_sweep = content.pop("sweep")
    presets = {}
    for name, table in content.items():
        for text_field in ("differs", "chosen"):
            table[text_field] = table[text_field].format(**shared_texts)
        if "sweep" in table:
            table["sweep"] = Sweep.from_table({**common_sweep, **table["sweep"]})
        if "study" in table:
            table["study"] = STUDIES[table["study"]]
        claims: list[Claim] = []
        for claim in table.get("claims", ()):
            claims += _claims_by_reading(table["sweep"], **claim)
        table["claims"] = tuple(claims)
        presets[name] = Preset(name=name, **table)
    return presets


def _claims_by_reading(
    sweep: Sweep, words: str, better: list[str], worse: list[str], at: str = "all"
) -> Iterator[Claim]:
    """Yield a claim for each reading of the paper's noise whose methods the sweep has.

    A reading is skipped if the sweep lacks one of its methods.

    Args:
        sweep: of the preset.
        words: the claim in words.
        better: methods without a reading, claimed to have the smaller numbers.
        worse: the methods that they are compared with.
        at: where it is claimed: ``all`` values of ε, or the ``first`` or ``last``.
    """
    keys = {method.key for method in sweep.methods}
    for reading in PAPER_READINGS:
        better_texts = tuple(method_text(method, reading) for method in better)
        worse_texts = tuple(method_text(method, reading) for method in worse)
        if keys.issuperset(better_texts + worse_texts):
            yield Claim(words, better_texts, worse_texts, at, reading)


PRESETS = _read_presets()
"""Every preset by name, in the order of the papers."""
