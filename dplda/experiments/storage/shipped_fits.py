"""Fits that ship with the program, each stored as the noisy values that it drew.

A fit is a function of its noisy values and of public numbers. A file in ``assets/fits`` therefore
holds those values alone, as plain arrays, and the method works out the rest from them, over as many
empty documents: in about 50 ms where the fit takes seconds. ``python -m benchmarks teaching``
writes the files. A test draws the values anew and compares.
"""

import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
from scipy.sparse import csr_array

from dplda.core import assets
from dplda.core.errors import DpldaError
from dplda.core.types import Counts, Matrix, Vector
from dplda.corpus import Corpus
from dplda.experiments.experiment import Experiment, fit
from dplda.methods.base.method import FitResult
from dplda.methods.base.runtime import Runtime
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.layouts import Spread
from dplda.privacy.noise.sources import NoiseSource, NoNoise

FOLDER = assets.folder() / "fits"
SETTINGS, SCALES, DEVIATION = "settings", "scales", "deviation"
SCALE_TOLERANCE = 1e-9  # relative; roundings of another machine are far below


class StaleFitError(ValueError):
    """The method now asks for other noisy values than those that are stored."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NoisyAnswer:
    """A noisy value.

    Attributes:
        quantity: its edge of the flow, and its name.
        scale: of its noise on a coordinate, as asked for; the answer of a fit without noise has
            none of it.
        coordinates: shape (p,), the value in the coordinates that carry noise.
    """

    quantity: str
    scale: float
    coordinates: Vector


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RecordedFit:
    """All that a fit drew.

    Attributes:
        answers: every noisy value, in order.
        deviation: error of every word probability, shape (k, d), by a refit on simulated documents;
            None without one.
    """

    answers: tuple[NoisyAnswer, ...]
    deviation: Matrix | None = None


class _RecordingSource:
    """A noise source that keeps the answers of another one."""

    def __init__(self, source: NoiseSource, answers: list[NoisyAnswer]) -> None:
        self.kind = source.kind
        self._source = source
        self._answers = answers

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds Gaussian noise."""
        noisy = self._source.perturb(coordinates, scale, spread, of)
        return self._keep(noisy, scale, of)

    def perturb_laplace(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds Laplace noise."""
        noisy = self._source.perturb_laplace(coordinates, scale, spread, of)
        return self._keep(noisy, scale, of)

    def _keep(self, noisy: Vector, scale: float, quantity: str) -> Vector:
        answer = NoisyAnswer(quantity=quantity, scale=scale, coordinates=noisy.copy())
        self._answers.append(answer)
        return noisy


class _RecordedSource:
    """A noise source that gives recorded answers, whatever the documents say."""

    def __init__(self, source: NoiseSource, answers: Iterator[NoisyAnswer]) -> None:
        self.kind = source.kind
        self._answers = answers

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Return the next recorded answer, whatever the coordinates are.

        Raises:
            StaleFitError: no answer is left, or the next one has another quantity or shape, or a
                scale that differs by more than rounding.
        """
        answer = next(self._answers, None)
        if answer is None or answer.quantity != of or answer.coordinates.shape != coordinates.shape:
            raise StaleFitError(of)
        if not np.isclose(answer.scale, scale, rtol=SCALE_TOLERANCE, atol=0.0):
            raise StaleFitError(of)
        return answer.coordinates.copy()

    perturb_laplace = perturb


def record_fit(corpus: Corpus, experiment: Experiment, *, noise: bool) -> RecordedFit:
    """Fit documents and record every noisy value, with the error bars where the fit has them.

    Without ``noise`` the values are exact ones.
    """
    answers: list[NoisyAnswer] = []
    runtime = Runtime(
        noise=None if noise else NoNoise(),
        make_mechanisms=lambda source: Mechanisms(_RecordingSource(source, answers)),
    )
    result = fit(experiment, corpus, runtime)
    uncertainty = result.uncertainty
    deviation = None if uncertainty is None else uncertainty.deviation
    return RecordedFit(answers=tuple(answers), deviation=deviation)


def replay_fit(
    recorded: RecordedFit, corpus: Corpus, experiment: Experiment, *, noise: bool
) -> FitResult:
    """Work out a fit from its noisy values, equal to the recorded one to the bit.

    Its error bars are the recorded ones, if it has error bars and any are recorded.

    Args:
        recorded: the noisy values in the order in which the method asked for them.
        corpus: the documents that were fitted; only public facts about them are read.
        experiment: the settings of the fit.
        noise: whether the fit was made with noise.

    Raises:
        StaleFitError: the method asks for other values, or for more or fewer of them.
        DpldaError: it refuses.
    """
    counts_shape = (corpus.n_documents, corpus.n_words)
    empty_counts = cast(Counts, csr_array(counts_shape, dtype=np.int32))
    answers = iter(recorded.answers)
    runtime = Runtime(
        noise=None if noise else NoNoise(),
        make_mechanisms=lambda source: Mechanisms(_RecordedSource(source, answers)),
    )
    empty_documents = replace(corpus, counts=empty_counts)
    result = fit(experiment, empty_documents, runtime)
    if next(answers, None) is not None:
        raise StaleFitError("more answers than questions")
    uncertainty = result.uncertainty
    if uncertainty is None or recorded.deviation is None:
        return result
    return result.with_uncertainty(replace(uncertainty, known_error_std=recorded.deviation))


def load_shipped_fit(corpus: Corpus, experiment: Experiment, *, noise: bool) -> FitResult | None:
    """Work out the shipped fit of this experiment on these documents from its noisy values.

    None if there is none, or it is damaged. None also if the method now refuses, or asks for other
    noisy values.

    Args:
        corpus: documents of the fit.
        experiment: its settings.
        noise: whether the private fit is wanted, or else the one without noise.
    """
    recorded_fit = read_recorded_fit(corpus, experiment, noise=noise)
    if recorded_fit is None:
        return None
    try:
        return replay_fit(recorded_fit, corpus, experiment, noise=noise)
    except (StaleFitError, DpldaError):
        return None


def fit_path(experiment: Experiment, *, noise: bool) -> Path:
    """Path of the shipped fit of this experiment, whether or not it exists.

    Its name tells method, k, α₀, ε, δ, seed and whether there is noise.
    It does not tell the corpus or the split of the budget. α₀, ε and δ have six digits.
    """
    budget = experiment.budget
    problem = experiment.problem
    name = (
        f"{experiment.method.text} {problem.n_topics} topics alpha0 {problem.alpha0:g}"
        f" epsilon {budget.epsilon:g} delta {budget.delta:g} seed {experiment.seed}"
        f" {'private' if noise else 'noiseless'}"
    )
    return FOLDER / f"{re.sub(r'[^a-z0-9.]+', '-', name.lower())}.npz"


def write_recorded_fit(
    recorded: RecordedFit, corpus: Corpus, experiment: Experiment, *, noise: bool
) -> Path:
    """Write the noisy values, noise scales, error bars and settings of a fit; return the path.

    Equal numbers give equal bytes. A file at the path is replaced. Its folder is made, but not the
    folder's parent.
    """
    arrays = _arrays_by_name(recorded.answers)
    arrays[SCALES] = np.array([answer.scale for answer in recorded.answers])
    arrays[SETTINGS] = np.array(_experiment_text(corpus, experiment, noise=noise))
    if recorded.deviation is not None:
        arrays[DEVIATION] = recorded.deviation
    path = fit_path(experiment, noise=noise)
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
    return path


def read_recorded_fit(corpus: Corpus, experiment: Experiment, *, noise: bool) -> RecordedFit | None:
    """Read the noisy values that the shipped fit drew, and its error bars.

    None if there is none of this experiment on these documents, or it is damaged.
    """
    try:
        path = fit_path(experiment, noise=noise)
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored_arrays:
            if str(stored_arrays[SETTINGS]) != _experiment_text(corpus, experiment, noise=noise):
                return None
            return _recorded(dict(stored_arrays))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None


def _recorded(arrays: dict[str, np.ndarray]) -> RecordedFit:
    """Make a recorded fit from the arrays of its file.

    The arrays of settings, noise scales and deviation have names of their own. The name of an
    answer's array is its number in three digits, a space and its quantity. The fit has the
    deviation where the file has one.

    Raises:
        KeyError: there is no array of noise scales.
        ValueError: there are more or fewer scales than answers.
    """
    names = sorted(set(arrays) - {SETTINGS, SCALES, DEVIATION})
    answers = tuple(
        NoisyAnswer(
            quantity=name.partition(" ")[2],
            scale=float(scale),
            coordinates=arrays[name],
        )
        for name, scale in zip(names, arrays[SCALES], strict=True)
    )
    return RecordedFit(answers=answers, deviation=arrays.get(DEVIATION))


def _arrays_by_name(answers: Sequence[NoisyAnswer]) -> dict[str, np.ndarray]:
    return {
        f"{number:03d} {answer.quantity}": answer.coordinates
        for number, answer in enumerate(answers)
    }


def _experiment_text(corpus: Corpus, experiment: Experiment, *, noise: bool) -> str:
    """Everything that a fit depends on, as JSON; 2 and 2.0 are the same ε."""
    budget = experiment.budget
    facts = {
        "documents": corpus.digest,
        "method": experiment.method.text,
        "problem": asdict(experiment.problem),
        "budget": asdict(budget) | {"epsilon": float(budget.epsilon)},
        "seed": experiment.seed,
        "noise": noise,
    }
    return json.dumps(facts)
