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
    """Fits all methods with rows, and writes runs and laws; other methods keep what is written of them."""
    fitted = {row["method"] for row in rows}
    held = json.loads(path.read_text("utf-8")) if path.exists() else {"settings": [], "methods": {}}
    kept = {text: runs for text, runs in held["methods"].items() if text not in fitted}
    settings: list[list[Any]] = held["settings"] if kept else []
    places = {tuple(setting): place for place, setting in enumerate(settings)}
    numbers: dict[Any, int] = {}
    for row in rows:
        setting = [float(f"{row[name]:.5g}") for name in COLUMNS]
        if tuple(setting) not in places:
            places[tuple(setting)] = len(settings)
            settings.append(setting)
        numbers[row["number"]] = places[tuple(setting)]
    methods = {}
    for method in predicted():
        if method.key in kept:
            methods[method.key] = kept[method.key]
            continue
        own = [row for row in rows if row["method"] == method.key and row["outcome"] not in GAVE_UP]
        loud = [loud_of(row, method) for row in own]
        methods[method.key] = {
            "at": [numbers[row["number"]] for row in own],
            "loud": [float(f"{one:.5g}") for one in loud],
            "l1": [None if row["l1"] is None else float(f"{row['l1']:.4g}") for row in own],
            "alone": [int(row["apart"] is not None and row["apart"] < ALIKE) for row in own],
        }
        methods[method.key] |= fits(settings, methods[method.key])
    spec = {
        "what": "mean L1 error of every private method on documents drawn from the model, one run a setting",
        "ranges": {name: list(ends) for name, ends in RANGES.items()},
        "delta": DELTA,
        "columns": list(COLUMNS),
        "made by": "python -m benchmarks prediction",
    }
    path.parent.mkdir(exist_ok=True)
    written = {"version": VERSION, "spec": spec, "settings": settings, "methods": methods}
    path.write_text(json.dumps(written, separators=(",", ":")) + "\n", "utf-8")


def fits(settings: list[list[Any]], runs: dict[str, Any]) -> dict[str, Any]:
    """The laws of one method's surfaces by name, and how far its runs spread, as ``Known`` takes it."""
    chosen = np.array(settings, dtype=float)[np.array(runs["at"])]
    places = coordinates_from(*chosen.T, inverse_noise=np.array(runs["loud"]))
    errors = np.array([np.nan if one is None else one for one in runs["l1"]], dtype=float)
    there, alone = np.isfinite(errors), np.array(runs["alone"], dtype=bool)
    laws, spread = {}, np.zeros((2, len(errors)))
    if np.sum(there) >= 4 * FEWEST:
        laws["errors"], laws["off"], spread[:, there] = scattered(
            places[there], np.log(errors[there])
        )
    for name, kind, kept in (("words", alone, there), ("refused", ~there, np.ones_like(there))):
        if FEWEST <= np.sum(kind[kept]) <= np.sum(kept) - FEWEST:
            laws[name] = law_of(places[kept], np.where(kind[kept], 1.0, -1.0))
    return {"laws": laws, "spread": [[float(f"{one:.3g}") for one in row] for row in spread]}


def scattered(places: Matrix, logs: Vector) -> tuple[dict[str, Any], dict[str, Any], Matrix]:
    """The laws of errors and of how far runs are off, and how far runs spread, as ``Known`` takes it.

    Where runs of a method spread more in some places than in others, each has the variance that all others give it, if
    that foresees runs better. A range of nine in ten is a multiple of how far off a run is expected to be.
    """
    found = []
    own = np.zeros(len(logs))
    for _ in range(ROUNDS):
        of_errors = law_of(places, logs, own)
        surface = LeftOut(places, logs, Law(**of_errors), own)
        off = log_off(surface)
        of_off = law_of(places, off, rough=True)
        left_out = LeftOut(places, off, Law(**of_off)).left_out()
        ranges = off + np.quantile(left_out, NINE_IN_TEN)
        found.append(
            (
                float(np.mean(np.abs(surface.left_out()))),
                (of_errors, of_off, np.array([own, ranges])),
            )
        )
        own = (TYPICAL * np.exp(off - left_out)) ** 2 / np.var(logs)
    return min(found, key=lambda one: one[0])[1]


def log_off(errors: LeftOut) -> Vector:
    """Logarithm of each run's absolute leave-one-out residual."""
    result: Vector = np.log(np.maximum(np.abs(errors.left_out()), LEAST_OFF))
    return result


def law_of(
    places: Matrix, values: Vector, own: Vector | float = 0.0, *, rough: bool = False
) -> dict[str, Any]:
    """The law under which the values, or ``MOST`` of them evenly spread, are likeliest."""
    taken = np.unique(np.linspace(0, len(values) - 1, MOST).astype(int))
    standard = ((places - places.mean(axis=0)) / (places.std(axis=0) + 1e-12))[taken]
    values = ((values - values.mean()) / (values.std() + 1e-12))[taken]
    lengths = Matern(np.full(places.shape[1], 2.0), (0.3 if not rough else 1.0, 100), nu=2.5)
    kernel = ConstantKernel(1.0, (1e-3, 1e2)) * lengths + ConstantKernel(
        0.3, (1e-6, 10)
    ) * DotProduct(1.0, "fixed")
    kernel += WhiteKernel(0.05, (1e-4, 1))
    fitted = GaussianProcessRegressor(kernel, alpha=(own + np.full(len(places), 1e-10))[taken]).fit(
        standard, values
    )
    of = fitted.kernel_
    parts = {
        "smooth": of.k1.k1.k1.constant_value,
        "linear": of.k1.k2.k1.constant_value,
        "noise": of.k2.noise_level,
    }
    short = {name: float(f"{value:.4g}") for name, value in parts.items()}
    return {"lengths": [float(f"{one:.4g}") for one in of.k1.k1.k2.length_scale], **short}


def loud_of(row: Row, method: Method) -> float:
    """``m`` of a row."""
    if method.status is Status.AS_PUBLISHED:
        return float(row["epsilon"] * row["louder"] / np.sqrt(2 * np.log(1.25 / DELTA)))
    return float(1 / row["sigma"] if method.uses_minibatches else row["mu"])
