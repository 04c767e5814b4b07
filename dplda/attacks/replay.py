"""Replay of a run on D with a neighbor D′ that receives D's releases.

Every attack uses the record of a replay. Both runs take the same decisions, so the record holds
every release before noise, on D and on D′. It gives the privacy loss of whole runs and the exact
budget of a path: ``Σ ‖m − m′‖²/σ²`` for Gaussian noise, ``Σ ‖m − m′‖₁/b`` for Laplace noise. A run
fails if a release differs in name, order, shape or scale, since no noise hides that.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Generic, Literal, TypeAlias, TypeVar, cast

import numpy as np
from scipy.optimize import linprog

from dplda.core.errors import InputError
from dplda.core.types import Matrix, Tensor3, Vector
from dplda.corpus import Corpus
from dplda.privacy.noise.keys import NoiseKind
from dplda.privacy.noise.layouts import Draw, Layout, Spread
from dplda.privacy.noise.sources import NoiseSource

Result = TypeVar("Result")
NoiseLaw: TypeAlias = Literal["normal", "laplace"]
Answer: TypeAlias = float | Vector | Matrix | Tensor3
Answers: TypeAlias = Mapping[str, Answer]
"""Answers to releases of D instead of a draw, by edge and quantity.

A number is for every coordinate.
"""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RequestedNoise:
    """The noise that a run asks its source for.

    Attributes:
        stream: edge and quantity.
        law: law of the noise.
        scale: standard deviation, or Laplace scale, in the unit of the coordinates.
        spread: how the noise is spread over coordinates.
    """

    stream: str
    law: NoiseLaw
    scale: float
    spread: Spread

    def is_like(self, other: "RequestedNoise", n_coordinates: int) -> bool:
        """Whether stream, law, scale and layout are those of another noise.

        Args:
            other: of another run.
            n_coordinates: length of the value that gets it, p.
        """
        has_same_law = self.law == other.law and self.scale == other.scale
        has_same_spread = type(self.spread) is type(other.spread)
        if self.stream != other.stream or not has_same_law or not has_same_spread:
            return False
        own_noise = _noise_of_fixed_numbers(self.spread, n_coordinates)
        other_noise = _noise_of_fixed_numbers(other.spread, n_coordinates)
        return np.array_equal(own_noise, other_noise)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NoiseRequest(RequestedNoise):
    """One request to a source of noise, and its draws.

    Attributes:
        mean: value before noise, shape (p,); for a random minibatch, with every document in it.
        draw_means: values before noise of each draw, shape (draws, p) or (1, p).
        noisy_draws: shape (draws, p).
        answer: value returned to the run, shape (p,).
    """

    mean: Vector
    draw_means: Matrix
    noisy_draws: Matrix
    answer: Vector


def _noise_of_fixed_numbers(spread: Spread, n_coordinates: int) -> Vector:
    """Noise that a spread makes of the same normal numbers at each call, shape (coordinates,)."""
    rng = np.random.default_rng(0)
    return spread.noise(rng.standard_normal, n_coordinates)


class Recorder:
    """Noise source that records requests and can return given answers.

    Args:
        source: draws the noise.
        n_draws: draws of each release; 0 only when repeating another recorder.
        drawn_stream: edge and quantity of the one release with many draws; empty for all.
        answers: to releases by name; the first draw for all others.
        scales: of the noise in the answers' unit, by name; default: that of the coordinates.
        noise_shrinkage: factor by which all noise is too small.
        takes_everyone: whether all documents are in every minibatch.
    """

    def __init__(
        self,
        source: NoiseSource,
        *,
        n_draws: int = 1,
        drawn_stream: str = "",
        answers: Answers | None = None,
        scales: Mapping[str, float] | None = None,
        noise_shrinkage: float = 1.0,
        takes_everyone: bool = False,
    ) -> None:
        """Begin with nothing recorded and no answers to expect."""
        self.kind: NoiseKind = source.kind
        self.requests: list[NoiseRequest] = []
        self.takes_everyone = takes_everyone
        self.pending_minibatch: tuple[Vector, Callable[[], Vector]] | None = None
        self._source = source
        self._n_draws = n_draws
        self._drawn_stream = drawn_stream
        self._noise_shrinkage = noise_shrinkage
        self._answers = answers or {}
        self._scales = scales or {}
        self._expected_requests: Iterator[NoiseRequest] | None = None

    def answer_like(self, other: "Recorder") -> None:
        """Return the answers of another recorder from now on."""
        self._expected_requests = iter(other.requests)

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, stream: str) -> Vector:
        """Record a request for Gaussian noise and answer it; arguments as in ``NoiseSource``."""
        scale_drawn = scale / self._noise_shrinkage
        noise = RequestedNoise(stream=stream, law="normal", scale=scale_drawn, spread=spread)
        return self._record(noise, coordinates)

    def perturb_laplace(
        self, coordinates: Vector, scale: float, spread: Spread, stream: str
    ) -> Vector:
        """Record a request for Laplace noise and answer it; arguments as in ``NoiseSource``."""
        scale_drawn = scale / self._noise_shrinkage
        noise = RequestedNoise(stream=stream, law="laplace", scale=scale_drawn, spread=spread)
        return self._record(noise, coordinates)

    def _record(self, noise: RequestedNoise, coordinates: Vector) -> Vector:
        """Draw noise for a value, record the request, and give the answer.

        The answer is the one expected or given for a stream, if there is one; else the first draw.
        The recorded mean of a minibatch is that of all documents, and every further draw is made
        from another minibatch.

        Raises:
            AssertionError: another recorder's answers are expected, and its next request was
                another one.
        """
        mean, values_to_draw = self._values_to_draw(coordinates, noise.stream)
        noisy_values = [self._add(noise, value) for value in values_to_draw]
        noisy_draws = np.array(noisy_values)
        if self._expected_requests is not None:
            answer = self._expected_answer(noise, mean)
        elif noise.stream in self._answers:
            answer = self._given_answer(noise)
        else:
            answer = np.asarray(noisy_draws[0])
        has_one_value = all(value is coordinates for value in values_to_draw)
        draw_means = values_to_draw
        if has_one_value:
            draw_means = [coordinates]
        request = NoiseRequest(
            stream=noise.stream,
            law=noise.law,
            scale=noise.scale,
            spread=noise.spread,
            mean=mean.copy(),
            draw_means=np.array(draw_means),
            noisy_draws=noisy_draws,
            answer=answer,
        )
        self.requests.append(request)
        return answer.copy()

    def _add(self, noise: RequestedNoise, value: Vector) -> Vector:
        """A value with one draw of the noise, shape (p,)."""
        if noise.law == "normal":
            return self._source.perturb(value, noise.scale, noise.spread, noise.stream)
        return self._source.perturb_laplace(value, noise.scale, noise.spread, noise.stream)

    def _values_to_draw(self, coordinates: Vector, stream: str) -> tuple[Vector, list[Vector]]:
        """The value with every document in it, and the values that draws are made from.

        These are one value many times, or one after another of random minibatches: a pending
        minibatch is used up. Streams other than the one to be drawn have a single draw.
        """
        has_many_draws = self._drawn_stream in ("", stream)
        n_draws = self._n_draws if has_many_draws else 1
        if self.pending_minibatch is None:
            return coordinates, [coordinates] * n_draws
        mean, redraw_value = self.pending_minibatch
        self.pending_minibatch = None
        if n_draws == 0:
            return mean, []
        further_values = [redraw_value() for _ in range(n_draws - 1)]
        return mean, [coordinates, *further_values]

    def _expected_answer(self, noise: RequestedNoise, mean: Vector) -> Vector:
        """The other recorder's answer to its next request, which is used up.

        Raises:
            AssertionError: it has none left, or that one has another noise or number of
                coordinates.
        """
        expected = next(self._expected_requests or iter(()), None)
        if expected is not None and expected.mean.shape == mean.shape:
            is_same_noise = expected.is_like(noise, len(mean))
            if is_same_noise:
                return expected.answer
        raise AssertionError(
            f"{noise.stream}: what is released, or its noise, depends on more than earlier releases"
        )

    def _given_answer(self, noise: RequestedNoise) -> Vector:
        """The attacker's answer in the unit of the coordinates."""
        layout = cast(Layout[Answer], noise.spread)
        answer_coordinates = layout.coordinates(self._answers[noise.stream])
        answer = np.asarray(answer_coordinates, dtype=np.float64)
        scale_of_answer = self._scales.get(noise.stream, noise.scale)
        return answer * (noise.scale / scale_of_answer)


@dataclass(frozen=True, eq=False)
class ReplayedRelease:
    """One release on D and on D′, with equal answers.

    Attributes:
        requests: request on D, and the same one on D′.
    """

    requests: tuple[NoiseRequest, NoiseRequest]

    @property
    def stream(self) -> str:
        """Edge and quantity."""
        return self.requests[0].stream

    @property
    def laplace(self) -> bool:
        """Whether the noise is Laplace noise."""
        first_request = self.requests[0]
        return first_request.law == "laplace"

    @cached_property
    def _noise_factor(self) -> Matrix | None:
        """Factor L such that noise is L·(independent numbers); None for one scale.

        L is square where there are more normal numbers than coordinates.
        """
        request = self.requests[0]
        if request.spread.isotropic:
            return None
        factor = _factor_of(request.spread, len(request.mean))
        n_coordinates, n_numbers = factor.shape
        if self.laplace or n_coordinates >= n_numbers:
            return factor
        covariance = factor @ factor.T
        square_factor = np.linalg.cholesky(covariance)  # the same law
        return np.asarray(square_factor, np.float64)

    @property
    def _is_mixture(self) -> bool:
        """Whether the noise is a mixture of more Laplace numbers than it has coordinates."""
        factor = self._noise_factor
        if factor is None:
            return False
        n_coordinates, n_numbers = factor.shape
        return n_coordinates < n_numbers

    def independent(self, coordinates: Matrix) -> Matrix:
        """Map rows of coordinates to a basis where the noise is independent, of the declared scale.

        They stay as they are where it is so already.

        Raises:
            InputError: the noise is a mixture of Laplace numbers, whose density is unknown.
        """
        if self._is_mixture:
            raise InputError(
                "noise", "of one scale, or Gaussian", f"a Laplace mixture on {self.stream}"
            )
        coordinate_rows = np.asarray(coordinates, dtype=np.float64)
        if self._noise_factor is None:
            return coordinate_rows
        solution, *_ = np.linalg.lstsq(self._noise_factor, coordinate_rows.T, rcond=None)
        return np.asarray(solution.T)

    def whitened(self, coordinates: Matrix) -> Matrix:
        """Rows of coordinates as in ``independent``, in units of the noise."""
        independent_rows = self.independent(coordinates)
        scale = self.requests[0].scale
        return np.asarray(independent_rows / scale, dtype=np.float64)

    @cached_property
    def distance(self) -> float:
        """Distance of the two means in units of the noise: L2, or L1 for Laplace noise.

        For a mixture of Laplace numbers, their smallest possible move, which bounds the loss.
        """
        first_request, second_request = self.requests
        difference = (first_request.mean - second_request.mean)[None]
        noise_factor = self._noise_factor
        if noise_factor is None or not self._is_mixture:
            norm_order = 1 if self.laplace else 2
            whitened_difference = self.whitened(difference)[0]
            return float(np.linalg.norm(whitened_difference, norm_order))
        largest_entry = np.max(np.abs(noise_factor))
        signed_factor = np.hstack([noise_factor, -noise_factor]) / largest_entry
        n_moves = signed_factor.shape[1]
        smallest_move = linprog(
            np.ones(n_moves),
            A_eq=signed_factor,
            b_eq=difference[0] / first_request.scale / largest_entry,
        )
        return float(cast(float, smallest_move.fun))

    def losses(self, side: int) -> Vector:
        """``ln p(release | D) − ln p(release | D′)`` of every draw on D (side 0) or D′ (side 1).

        By Gaussian or Laplace density, whichever the noise has.

        Args:
            side: corpus that the draws were made on.

        Returns:
            Nats, shape (draws,).

        Raises:
            InputError: the noise is a mixture of Laplace numbers, whose density is unknown.
        """
        draws = self.requests[side].noisy_draws
        first_request, second_request = self.requests
        noise_if_first = self.independent(draws - first_request.mean)
        noise_if_second = self.independent(draws - second_request.mean)
        if self.laplace:
            excess = np.abs(noise_if_second) - np.abs(noise_if_first)
            total_excess = np.sum(excess, axis=1)
            return np.asarray(total_excess / first_request.scale)
        squared_excess = noise_if_second**2 - noise_if_first**2
        total_excess = np.sum(squared_excess, axis=1)
        twice_variance = 2 * first_request.scale**2
        return np.asarray(total_excess / twice_variance)

    def minibatch_losses(self, side: int, rate: float) -> Vector:
        """``ln p(release | D) − ln p(release | D′)`` of every sum over a random minibatch, in nats.

        No other document may contribute. With noisy sum x, a document's part a and noise
        deviation s, the likelihood ratio to noise alone is ``1 − ν + ν exp((⟨x, a⟩ − ‖a‖²/2)/s²)``.

        Args:
            side: 0 for draws on D, 1 for draws on D′.
            rate: ν, chance of each document to be in a minibatch.
        """
        noisy_draws = self.whitened(self.requests[side].noisy_draws)  # x/s

        def log_ratio_to_noise(request: NoiseRequest) -> Vector:
            """Log likelihood ratio of the document's corpus to noise alone, shape (draws,)."""
            document_part = self.whitened(request.mean[None])[0]  # a/s
            exponent = noisy_draws @ document_part - document_part @ document_part / 2
            return log_mixture(rate, exponent)

        first_request, second_request = self.requests
        first_log_ratio = log_ratio_to_noise(first_request)
        second_log_ratio = log_ratio_to_noise(second_request)
        return np.asarray(first_log_ratio - second_log_ratio)

    @property
    def residuals(self) -> Matrix:
        """Draws on D minus their means, in units of the noise, shape (draws, numbers)."""
        first_request = self.requests[0]
        noise = first_request.noisy_draws - first_request.draw_means
        return self.whitened(noise)


def log_mixture(rate: float, exponent: Vector) -> Vector:
    """``log(1 − ν + ν eˣ)``.

    Args:
        rate: ν in (0, 1].
        exponent: x, any shape.
    """
    if rate == 1:
        return exponent
    log_of_absent = np.log1p(-rate)
    log_of_present = np.log(rate) + exponent
    return np.asarray(np.logaddexp(log_of_absent, log_of_present))


@dataclass(frozen=True, slots=True, eq=False)
class Transcript(Generic[Result]):
    """A run on D and its replay on D′.

    Attributes:
        releases: all releases of both, in order.
        results: results of the run and of its replay.
    """

    releases: tuple[ReplayedRelease, ...]
    results: tuple[Result, Result]

    @property
    def spent_budget(self) -> float:
        """Budget of the path: μ for Gaussian noise, ε for Laplace noise."""
        budgets = [release.distance for release in self.releases]
        return add_budgets(budgets, laplace=self.laplace)

    @property
    def laplace(self) -> bool:
        """Whether any noise of the path is Laplace noise."""
        return any(release.laplace for release in self.releases)

    def losses(self, side: int = 0) -> Vector:
        """Privacy loss of all releases together."""
        losses_of_releases = [release.losses(side) for release in self.releases]
        return np.asarray(sum(losses_of_releases))


def add_budgets(budgets: Iterable[float], *, laplace: bool) -> float:
    """Budget of several releases together.

    Args:
        budgets: ε of each (Laplace), or μ of each (Gaussian).
        laplace: whether the noise is Laplace noise, so that ε add up; else squares of μ do.
    """
    if laplace:
        return math.fsum(budgets)
    return math.hypot(*budgets)


def replay(
    run: Callable[[Corpus, NoiseSource], Result],
    corpora: tuple[Corpus, Corpus],
    noise: tuple[Recorder, Recorder],
) -> Transcript[Result]:
    """Run on D, then on D′ with D's releases as answers; each draws from its own noise source.

    Raises:
        AssertionError: a release, or its noise, depends on more than earlier releases, or one run
            releases more than the other.
        DpldaError: a run was refused.
    """
    first_recorder, second_recorder = noise
    first_result = run(corpora[0], first_recorder)
    second_recorder.answer_like(first_recorder)
    second_result = run(corpora[1], second_recorder)
    first_requests = first_recorder.requests
    second_requests = second_recorder.requests
    if len(second_requests) < len(first_requests):
        missing_request = first_requests[len(second_requests)]
        raise AssertionError(f"{missing_request.stream}: released on one neighbor only")
    request_pairs = zip(first_requests, second_requests, strict=True)
    releases = tuple(ReplayedRelease(pair) for pair in request_pairs)
    return Transcript(releases=releases, results=(first_result, second_result))


def _factor_of(spread: Spread, n_coordinates: int) -> Matrix:
    """Find the factor L of noise that is L·(independent numbers), shape (coordinates, numbers).

    A column is what one of these numbers adds to the coordinates.
    """
    n_numbers = 0

    def count_numbers(size: int) -> Vector:
        """Give zeros, and count how many numbers the noise asks for."""
        nonlocal n_numbers
        n_numbers += size
        return np.zeros(size)

    def draw_from(numbers: Iterator[float]) -> Draw:
        """Make a draw that hands out given numbers, one after the other."""
        return lambda size: np.fromiter(islice(numbers, size), np.float64)

    spread.noise(count_numbers, n_coordinates)
    columns = []
    for unit_vector in np.eye(n_numbers):
        draw = draw_from(iter(unit_vector))
        columns.append(spread.noise(draw, n_coordinates))
    return np.column_stack(columns)
