"""A preset's experiment in one line: its documents, and the numbers that are fixed for all that is drawn."""

from collections.abc import Sequence

from dplda.corpus import Simulation
from dplda.experiments.papers.batches import Batches
from dplda.experiments.papers.example_topics import ExampleTopics
from dplda.experiments.papers.presets import Preset
from dplda.experiments.papers.recompute import STUDIES
from dplda.experiments.papers.spectra import PairSpectrum, TensorGaps
from dplda.experiments.specs.sources import Embedded, Source
from dplda.experiments.specs.spec import Sweep
from dplda.privacy.odds import short


def described(preset: Preset) -> tuple[str, ...]:
    """The parts of the line, documents first; what is varied is a range."""
    if preset.sweep is not None:
        return (*_documents(preset.sweep.settings[0].source), *of_sweep(preset.sweep))
    study = STUDIES[preset.kind]
    if isinstance(study, PairSpectrum):
        drawn = ("populations of the model", f"N {study.n_documents:,}", f"d {study.n_words:,}")
        return (*drawn, f"k {study.n_topics}", f"α₀ {_range(study.alphas)}", f"{study.populations} draws at each")
    if isinstance(study, TensorGaps):
        drawn = ("populations of the model and simulated documents", f"N {study.n_documents:,}", f"d {study.n_words:,}")
        return (*drawn, f"L {study.mean_length}", f"k {_range(study.topics)}", f"α₀ {study.alpha0:,g}")
    if isinstance(study, Batches):
        model = (f"k {study.documents.n_topics}", f"α₀ {study.documents.alpha0:g}")
        return (*_documents(study.documents), *model, f"σ {_range(study.sigmas)}", f"δ {short(study.delta)}")
    assert isinstance(study, ExampleTopics)
    model = (f"k {study.n_topics}", f"α₀ {study.alpha0:g}")
    return (*_documents(study.documents), *model, f"ε {study.epsilon:g}", f"δ {short(study.delta)}")


def of_sweep(sweep: Sweep) -> tuple[str, ...]:
    """What a sweep of one setting fixes besides its documents, and the range of ε."""
    setting = sweep.settings[0]
    draws = f"{sweep.repeats} draw{'s' if sweep.repeats > 1 else ''} of noise"
    return (
        f"k {setting.n_topics}",
        f"α₀ {setting.alpha0:g}",
        f"ε {_range(sweep.epsilons_of(setting))}",
        f"δ {short(sweep.delta_of(setting))}",
        draws,
    )


def _documents(source: Source) -> tuple[str, ...]:
    if isinstance(source, Simulation):
        size = (f"N {source.n_documents:,}", f"d {source.n_words:,}", f"L {source.mean_length:g}")
        return ("simulated documents", *size)
    assert isinstance(source, Embedded)
    return ("Python docstrings", f"N {source.n_documents:,} at most", f"d {source.n_words:,} at most")


def _range(values: Sequence[float]) -> str:
    return " to ".join(f"{value:,g}" for value in dict.fromkeys((min(values), max(values))))
