"""What noise went where: the spectrum with its floor, the table of releases, how the decomposition went."""

import math

import streamlit as st

from dplda import figures
from dplda.core.formatting import digits
from dplda.figures.topics.corpus import n_hidden
from dplda.privacy.release import Guarantee, Release
from dplda.privacy.rounds import Rounds, rounds
from dplda.spectral.whitening import Whitening
from dplda.ui.explore.topics.comparison import Comparison
from dplda.ui.shell import downloads, figure_view
from dplda.ui.shell.findings import sensitivity_means
from dplda.ui.shell.frame import Experiment


def spectrum(experiment: Experiment, comparison: Comparison) -> None:
    """Eigenvalues of the noisy pair moment beside the un-noised ones, and the floor."""
    private, exact = comparison.private.curator.whitening, comparison.exact.curator.whitening
    if private is None or exact is None:  # a method that has no pair moment
        return
    figure = figures.spectrum(
        private.spectrum,
        noise_floor=private.noise_floor,
        rising=private.rising,
        exact=exact.spectrum,
        watermark=experiment.watermark,
    )
    figure_view.draw(figure, "topics.spectrum")
    hidden = n_hidden(private.spectrum) + n_hidden(exact.spectrum)
    left_out = f" {hidden} that are not positive have no place on a logarithmic axis." if hidden else ""
    st.caption("Each topic lifts one eigenvalue of the pair moment M₂." + _about_the_floor(private) + left_out)


def _about_the_floor(private: Whitening) -> str:
    if private.noise_floor == 0:
        return " No noise was put on it: what was noised comes later."
    said = " Noise alone would lift them up to the dashed line: only filled circles above it are topics."
    if not private.rising and private.spectrum[0] > private.noise_floor:
        return (
            " Noise alone would lift them up to the dashed line. One above it is the words' own: alone it is no topic."
        )
    if private.rising < private.resolved:
        said += f" As published, the first {private.resolved} are used as topics all the same."
    return said


def table(experiment: Experiment, comparison: Comparison) -> None:
    """One row for each noisy value that was drawn, in order; those of one quantity in a row together."""
    releases = comparison.private.releases
    if not releases:
        st.caption("This method released no noisy value: nothing else is known of where its noise went.")
        return
    rows = [
        {
            "edge": str(part.first.edge),
            "quantity": part.first.quantity + (f", 1 to {len(part.releases)}" if len(part.releases) > 1 else ""),
            "symbol": part.first.symbol,
            "shape": " × ".join(f"{size:,}" for size in part.first.shape) or "one number",
            "sensitivity": digits(part.first.sensitivity),
            "noise scale": " → ".join(dict.fromkeys(digits(one.scale) for one in _ends(part))),
            **_spent(part, releases, experiment.corpus.unit),
        }
        for part in rounds(releases)
    ]
    st.markdown("**What was released, and how much noise it got**")
    downloads.table(rows, index="edge", key="topics.releases", saved=not experiment.sensitive)
    st.caption(_meaning(releases, comparison.private.guarantee))


def _spent(part: Rounds, releases: tuple[Release, ...], unit: str) -> dict[str, str]:
    release = part.first
    if _of_minibatches(releases):
        return {"minibatches": f"{release.steps:,}", f"chance of a {unit}": digits(release.sampling_rate)}
    if all(other.mu for other in releases):
        whole = sum(other.mu**2 for other in releases)
        each = dict.fromkeys(f"{one.mu**2 / whole:.1%}" for one in _ends(part))
        among = f", {' → '.join(each)} each" if len(part.releases) > 1 else ""
        share = sum(one.mu**2 for one in part.releases) / whole
        return {"share of μ²": f"{share:.0%}{among}", "signal to noise": _left(part.signal_to_noise)}
    return {"spent": f"ε {digits(release.pure_epsilon)}" if release.pure_epsilon else f"μ {digits(release.mu)}"}


def _ends(part: Rounds) -> tuple[Release, Release]:
    return part.releases[0], part.releases[-1]


def _left(ratios: tuple[float, ...]) -> str:
    """What noise left of each of several releases, the first and the last where they differ."""
    ends = dict.fromkeys(
        "–" if math.isnan(ratio) else digits(ratio, 2) if ratio < 99.5 else f"{ratio:,.0f}"
        for ratio in (ratios[0], ratios[-1])
    )
    return " → ".join(ends)


def _of_minibatches(releases: tuple[Release, ...]) -> bool:
    return any(release.sampling_rate < 1 or release.steps > 1 for release in releases)


def _meaning(releases: tuple[Release, ...], guarantee: Guarantee) -> str:
    unit = guarantee.adjacency.unit
    if _of_minibatches(releases):
        return (
            f"*Sensitivity*: how far one {unit} can move the value by being in the minibatch or not. *Noise scale*:"
            " standard deviation of the Gaussian noise on each entry, drawn anew for every minibatch. Chance, number"
            " and noise together cost the whole ε and δ."
        )
    said = f"*Sensitivity*: {sensitivity_means(guarantee.mechanism, unit)}. *Noise scale*: "
    if all(release.mu for release in releases):
        return said + (
            "standard deviation of the Gaussian noise on each entry, in the value's own unit. The squares of"
            " μ = sensitivity / scale add up to the whole budget. *Signal to noise*: root mean square of what was"
            " released, the known noise taken off, over that noise; from released values alone. What differs"
            " among several in a row is said of the first → the last."
        )
    return said + (
        "of the noise on each entry, in the value's own unit: standard deviation where a μ was spent, scale of the"
        " Laplace law where an ε was."
    )


def convergence(comparison: Comparison) -> None:
    """A warning where the whitened tensor was not decomposed to the end."""
    found = comparison.private.curator.components
    if found is not None and not found.converged:
        st.caption("The decomposition **did not converge**: treat these topics with care, or choose a larger ε.")
