"""Re:cord-play: a run on D is recorded, and played on D′ with frozen outputs; inputs, noise and results are compared.

Every call of a mechanism is recorded with its input, its noise and its output. The same code then runs on the
neighbor, and every call returns the output of the recorded one. So nothing after a mechanism may differ: not which calls
follow, not their noise or shape, and not one byte of the result. And no input may be further from the recorded one than
the declared sensitivity.

Source:
    Cebere, Erb, Desfontaines, Bellet & Fitzsimons, *Privacy in theory, bugs in practice: grey-box auditing of
    differential privacy libraries* (PETS 2026), by its published description; ``dplda.attacks.replay`` is our recorder.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dplda.attacks.replay import Recorder, ReplayedRelease, replay
from dplda.core.errors import DpldaError
from dplda.corpus import Corpus
from dplda.privacy.noise.sources import NoiseSource
from dplda.privacy.release import Release

ROUNDING = 1e-9  # relative, of a distance worked out in floating point


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A release as its mechanism declares it.

    Attributes:
        stream: edge and quantity.
        law: ``Gaussian`` or ``Laplace``.
        sensitivity: L2 sensitivity; L1 for Laplace noise.
        scale: of the noise, in the same unit.
        sampling_rate: chance of each document to be in the sum; 1 where all are.
        steps: equal releases in a row that it stands for.
    """

    stream: str
    law: str = "Gaussian"
    sensitivity: float
    scale: float
    sampling_rate: float = 1.0
    steps: int = 1

    @classmethod
    def of(cls, release: Release) -> "Declared":
        """The declaration of a release."""
        return cls(
            stream=f"{release.edge} {release.quantity}",
            law="Laplace" if release.pure_epsilon else "Gaussian",
            sensitivity=release.sensitivity,
            scale=release.scale,
            sampling_rate=release.sampling_rate,
            steps=release.steps,
        )

    @property
    def budget(self) -> float:
        """μ of Gaussian noise, ε of Laplace noise.

        Of random minibatches, μ of all of them where all hold the replaced document: one leaves, another comes.
        """
        per_step = self.sensitivity / self.scale
        return per_step * math.sqrt(2 * self.steps) if self.sampling_rate < 1 else per_step


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a run gives out.

    Attributes:
        content: every byte of it, or the refusal.
        declared: its releases; empty for a refusal.
    """

    content: bytes
    declared: tuple[Declared, ...]


Run = Callable[[Corpus, NoiseSource], Outcome]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One release of one run, on one pair of neighbors.

    Attributes:
        stream: edge and quantity.
        law: ``Gaussian`` or ``Laplace``.
        calls: calls of the mechanism.
        ratio: distance of the two inputs over the declared sensitivity; up to 1 is allowed.
        noise_ratio: noise that was added over the declared one; 1, and up to rounding more.
    """

    stream: str
    law: str
    calls: int
    ratio: float
    noise_ratio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedPair:
    """One run, recorded on D and played on D′.

    Attributes:
        findings: of each release.
        violation: what differed although no noise hides it; empty for nothing.
        declared: releases of the run; none if it refused.
    """

    findings: tuple[Finding, ...] = ()
    violation: str = ""
    declared: tuple[Declared, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether inputs, noise and results are as declared."""
        return not self.violation and all(
            finding.ratio <= 1 + ROUNDING and finding.noise_ratio >= 1 - ROUNDING
            for finding in self.findings
        )


def play(
    run: Run,
    corpora: tuple[Corpus, Corpus],
    make_noise: Callable[[int], NoiseSource],
) -> PlayedPair:
    """Record a run on the first corpus, and play it on the second.

    Args:
        run: gives everything that leaves; a refusal is an outcome, too.
        corpora: two neighbors.
        make_noise: a source of noise for each side.
    """
    recorders = (Recorder(make_noise(0)), Recorder(make_noise(1)))
    try:
        transcript = replay(run, corpora, recorders)
    except (AssertionError, RuntimeError) as difference:  # the second by a method's own checks
        return PlayedPair(violation=str(difference))
    recorded, played = transcript.results
    violation = "" if recorded.content == played.content else "the results differ in a byte"
    findings: list[Finding] = []
    for stream, releases in _by_stream(transcript.releases).items():
        declared = [release for release in recorded.declared if release.stream == stream]
        if declared:
            findings.append(_compare(stream, releases, declared))
        elif recorded.declared:
            violation = violation or f"{stream}: noise that no release declares"
    return PlayedPair(findings=tuple(findings), violation=violation, declared=recorded.declared)


def guarded(run: Callable[[Corpus, NoiseSource], Outcome]) -> Run:
    """A run whose refusals are outcomes."""

    def run_or_refuse(corpus: Corpus, noise: NoiseSource) -> Outcome:
        try:
            return run(corpus, noise)
        except DpldaError as refusal:
            return Outcome(repr(refusal).encode(), ())

    return run_or_refuse


def _by_stream(releases: Sequence[ReplayedRelease]) -> dict[str, list[ReplayedRelease]]:
    by_stream: dict[str, list[ReplayedRelease]] = {}
    for release in releases:
        by_stream.setdefault(release.stream, []).append(release)
    return by_stream


def _compare(stream: str, played: list[ReplayedRelease], declared: list[Declared]) -> Finding:
    """Compare what calls of one stream moved with what its releases declare, all of them together.

    A search of several counts is one release of them all. Noise is compared where inputs are in the unit of the
    sensitivity; of whole steps, the ratio of distances says both.
    """
    distances = [release.distance for release in played]
    budgets = [release.budget for release in declared]
    if played[0].laplace:
        ratio = math.fsum(distances) / math.fsum(budgets)
    else:
        ratio = math.hypot(*distances) / math.hypot(*budgets)
    noise_ratio = 1.0
    declared_scales = {release.scale for release in declared}
    if len(declared_scales) == 1 and played[0].requests[0].mean.dtype.kind == "f":
        noise_ratio = min(release.requests[0].scale for release in played) / declared_scales.pop()
    return Finding(
        stream=stream,
        law=declared[0].law,
        calls=len(played),
        ratio=ratio,
        noise_ratio=noise_ratio,
    )
