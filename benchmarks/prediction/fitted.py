"""Fits the laws of the surfaces to the runs made for that, by maximum likelihood, and writes both to the assets."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from scipy.linalg import cho_solve
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, DotProduct, Matern, WhiteKernel

from benchmarks.prediction.runs import DELTA, RANGES, Row, predicted
from dplda.core import assets
from dplda.core.types import Matrix, Vector
from dplda.methods.base.method import Method
from dplda.privacy.release import Status
from dplda.theory.prediction.coordinates import coordinates_from
from dplda.theory.prediction.surface import Law, Surface

VERSION = 3
FEWEST = 5  # runs of a kind that a surface between kinds needs, and of numbers
ROUNDS = 3  # of laws, from the second on with each run's own variance
NINE_IN_TEN = 0.9
LEAST_OFF = 0.01  # smallest residual, in logarithms
TYPICAL = 1.9  # standard deviation over exp(mean of log|z|), z normal
MOST = 400  # runs that a law is found from: the time grows with their cube
ALIKE = 0.02  # mean L1 distance of topics from their mean, below which they are one list
COLUMNS = ("n_documents", "n_words", "n_topics", "alpha0", "mean_length")


PATH = assets.folder() / "prediction" / "runs.json"
GAVE_UP = ("TimeoutError", "MemoryError")


class LeftOut(Surface):
    """A surface that tells how far off it would be at each place without the value there."""

    def left_out(self) -> Vector:
        """Leave-one-out residual of each value, shape (n,)."""
        inverse = cho_solve(self._factor, np.eye(len(self._weights)))
        return np.asarray(self._scale * self._weights / np.diag(inverse))


def write(rows: list[Row], path: Path = PATH) -> None:
    """Fit all methods with rows, and write runs and laws; other methods keep what is written of them.

    Args:
        rows: of ``runs.rows_of``, each with the ``number`` of its setting.
        path: file that is read for the other methods and written.
    """
    fitted_keys = {row["method"] for row in rows}
    content: dict[str, Any] = {"settings": [], "methods": {}}
    if path.exists():
        content = json.loads(path.read_text("utf-8"))
    methods = {key: runs for key, runs in content["methods"].items() if key not in fitted_keys}
    settings: list[list[Any]] = content["settings"] if methods else []
    setting_ids = {tuple(setting): setting_id for setting_id, setting in enumerate(settings)}
    id_of_number: dict[Any, int] = {}
    for row in rows:
        setting = [float(f"{row[name]:.5g}") for name in COLUMNS]
        if tuple(setting) not in setting_ids:
            setting_ids[tuple(setting)] = len(settings)
            settings.append(setting)
        id_of_number[row["number"]] = setting_ids[tuple(setting)]
    fitted = {}
    for method in predicted():
        if method.key in methods:
            fitted[method.key] = methods[method.key]
            continue
        runs = _runs_of(method, rows, id_of_number)
        fitted[method.key] = runs | fit_surfaces(settings, runs)
    spec = {
        "what": "mean L1 error of every private method on documents drawn from the model, one run a setting",
        "ranges": {name: list(limits) for name, limits in RANGES.items()},
        "delta": DELTA,
        "columns": list(COLUMNS),
        "made by": "python -m benchmarks prediction",
    }
    path.parent.mkdir(exist_ok=True)
    new_content = {"version": VERSION, "spec": spec, "settings": settings, "methods": fitted}
    path.write_text(json.dumps(new_content, separators=(",", ":")) + "\n", "utf-8")


def _runs_of(method: Method, rows: list[Row], id_of_number: dict[Any, int]) -> dict[str, Any]:
    """Columns of a method's runs, as the file has them, without those that gave up."""
    runs = [row for row in rows if row["method"] == method.key and row["outcome"] not in GAVE_UP]
    return {
        "at": [id_of_number[run["number"]] for run in runs],
        "loud": [float(f"{inverse_noise_of(run, method):.5g}") for run in runs],
        "l1": [None if run["l1"] is None else float(f"{run['l1']:.4g}") for run in runs],
        "alone": [int(run["apart"] is not None and run["apart"] < ALIKE) for run in runs],
    }


def fit_surfaces(settings: list[list[Any]], runs: dict[str, Any]) -> dict[str, Any]:
    """Fit one method's surfaces.

    Args:
        settings: numbers of each setting, in the order of ``COLUMNS``.
        runs: columns of the method's runs, as the file has them.

    Returns:
        ``laws`` of the surfaces by name, and the ``spread`` of runs, as ``Known`` takes it.
    """
    run_settings = np.array(settings, dtype=float)[np.array(runs["at"])]
    coordinates = coordinates_from(*run_settings.T, inverse_noise=np.array(runs["loud"]))
    errors = np.array([np.nan if error is None else error for error in runs["l1"]], dtype=float)
    has_error = np.isfinite(errors)
    is_one_list = np.array(runs["alone"], dtype=bool)
    laws = {}
    spread = np.zeros((2, len(errors)))
    if np.sum(has_error) >= 4 * FEWEST:
        laws["errors"], laws["off"], spread[:, has_error] = fit_laws_of_errors(
            coordinates[has_error], np.log(errors[has_error])
        )
    for name, is_of_kind, is_counted in (
        ("words", is_one_list, has_error),
        ("refused", ~has_error, np.ones_like(has_error)),
    ):
        if FEWEST <= np.sum(is_of_kind[is_counted]) <= np.sum(is_counted) - FEWEST:
            signs = np.where(is_of_kind[is_counted], 1.0, -1.0)
            laws[name] = fit_law(coordinates[is_counted], signs)
    return {"laws": laws, "spread": [[float(f"{value:.3g}") for value in row] for row in spread]}


def fit_laws_of_errors(
    coordinates: Matrix, log_errors: Vector
) -> tuple[dict[str, Any], dict[str, Any], Matrix]:
    """Fit the laws of errors and of residuals.

    Where runs of a method spread more in some places than in others, each has the variance that all others give it, if
    that foresees runs better. A range of nine in ten is a multiple of how far off a run is expected to be.

    Args:
        coordinates: of the runs, (n, 9).
        log_errors: logarithms of their errors, (n,).

    Returns:
        The law of errors, the law of log absolute residuals, and two rows, (2, n): each run's own variance, and the
        logarithm of half its range.
    """
    best_error = np.inf
    own_variance = np.zeros(len(log_errors))
    for _ in range(ROUNDS):
        error_law = fit_law(coordinates, log_errors, own_variance)
        surface = LeftOut(coordinates, log_errors, Law(**error_law), own_variance)
        log_residuals = log_absolute_residuals(surface)
        residual_law = fit_law(coordinates, log_residuals, is_rough=True)
        excess = LeftOut(coordinates, log_residuals, Law(**residual_law)).left_out()
        log_ranges = log_residuals + np.quantile(excess, NINE_IN_TEN)
        mean_error = float(np.mean(np.abs(surface.left_out())))
        if mean_error < best_error:
            best_error = mean_error
            best_laws = (error_law, residual_law, np.array([own_variance, log_ranges]))
        own_variance = (TYPICAL * np.exp(log_residuals - excess)) ** 2 / np.var(log_errors)
    return best_laws


def log_absolute_residuals(errors: LeftOut) -> Vector:
    """Logarithm of each run's absolute leave-one-out residual."""
    logarithms: Vector = np.log(np.maximum(np.abs(errors.left_out()), LEAST_OFF))
    return logarithms


def fit_law(
    coordinates: Matrix,
    values: Vector,
    own_variance: Vector | float = 0.0,
    *,
    is_rough: bool = False,
) -> dict[str, Any]:
    """The law under which the values, or ``MOST`` of them evenly spread, are likeliest.

    Args:
        coordinates: of the runs, (n, 9).
        values: at these, (n,).
        own_variance: of each value, in units of the variance of all.
        is_rough: whether lengths below 1, in standard deviations of a coordinate, are left out.
    """
    kept_runs = np.unique(np.linspace(0, len(values) - 1, MOST).astype(int))
    standardized = (coordinates - coordinates.mean(axis=0)) / (coordinates.std(axis=0) + 1e-12)
    standardized_values = (values - values.mean()) / (values.std() + 1e-12)
    smallest_length = 1.0 if is_rough else 0.3
    lengths = Matern(np.full(coordinates.shape[1], 2.0), (smallest_length, 100), nu=2.5)
    smooth = ConstantKernel(1.0, (1e-3, 1e2)) * lengths
    linear = ConstantKernel(0.3, (1e-6, 10)) * DotProduct(1.0, "fixed")
    kernel = smooth + linear + WhiteKernel(0.05, (1e-4, 1))
    variances = own_variance + np.full(len(coordinates), 1e-10)
    process = GaussianProcessRegressor(kernel, alpha=variances[kept_runs])
    fitted = process.fit(standardized[kept_runs], standardized_values[kept_runs]).kernel_
    parts = {
        "smooth": fitted.k1.k1.k1.constant_value,
        "linear": fitted.k1.k2.k1.constant_value,
        "noise": fitted.k2.noise_level,
    }
    rounded = {name: float(f"{value:.4g}") for name, value in parts.items()}
    length_scales = fitted.k1.k1.k2.length_scale
    return {"lengths": [float(f"{length:.4g}") for length in length_scales], **rounded}


def inverse_noise_of(row: Row, method: Method) -> float:
    """``m`` of a row, the inverse of its noise multiplier."""
    if method.status is Status.AS_PUBLISHED:
        return float(row["epsilon"] * row["louder"] / np.sqrt(2 * np.log(1.25 / DELTA)))
    if method.uses_minibatches:
        return float(1 / row["sigma"])
    return float(row["mu"])
