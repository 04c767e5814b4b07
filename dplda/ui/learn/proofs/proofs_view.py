"""Nine gaps in the paper's proofs, a card each: the claim, what is true, a picture of numbers worked out live."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from dplda.core.formatting import digits
from dplda.experiments.settings import Settings
from dplda.figures import Figure
from dplda.theory.theorems.gaps import Counterexample
from dplda.ui.learn.proofs import pictures
from dplda.ui.shell import figure_view


@dataclass(frozen=True, slots=True)
class GapCard:
    """One gap; ``truth`` says what is true, ``so`` what follows."""

    name: str
    title: str
    claim: str
    truth: Callable[[], str]
    picture: Callable[[], Figure]
    so: str


def draw(settings: Settings) -> None:
    """Draw the cards in the order of the paper."""
    for number, card in enumerate(CARDS, 1):
        st.header(f"{number}. {card.title}", anchor=False)
        st.markdown(f"**Claim**: {card.claim}")
        figure_view.draw(card.picture(), f"proofs.{card.name}")
        st.markdown(f"**What is true**: {card.truth()}")
        st.caption(card.so)


def _story(found: Counterexample) -> str:
    listed = ", ".join(f"{number:,} × “{kind}”" for kind, number in found.documents)
    before, after = found.replaced
    return (
        f"Take {listed}, and replace a single “{before}” by “{after}” (each digit is a word): T moves by"
        f" {digits(found.change)}, {found.ratio:,.0f} times what the theorem allows."
    )


def _rotation() -> str:
    return (
        "the whitening is built from eigenvectors. Where two eigenvalues nearly agree, one document can turn their"
        f" eigenvectors by a large angle, and T turns with them. {_story(pictures.rotations()[1])}"
    )


def _exchange() -> str:
    found = pictures.exchanges()[1]
    return (
        f"here the gap is {digits(found.gap, 2)} times what one document can do, only one direction is kept, and yet T"
        f" jumps. {_story(found)}"
    )


CARDS = (
    GapCard(
        "moments",
        "The moments move further than 2/N (Theorem 4)",
        "one document moves each moment by at most 2/N.",
        lambda: (
            "a document also enters the products of averages that turn plain frequencies into M₂ and M₃, so it pulls"
            " more than once. The paper's own appendix says so for M₂ and forgets two of three such terms for M₃."
        ),
        pictures.moments,
        "Repair: release the plain averages, which move by √2/N whatever α₀ is, and make the moments from those. The"
        " corrected calibrations do that.",
    ),
    GapCard(
        "rotation",
        "The whitened tensor jumps (Theorem 5)",
        "one document moves the whitened tensor T by something of size 1/N.",
        _rotation,
        lambda: pictures.turn(pictures.rotations()),
        "The change does not shrink with N, the bound does. Noise scaled to the bound does not hide which of the two"
        " corpora was used.",
    ),
    GapCard(
        "exchange",
        "A gap between eigenvalues does not save it",
        "it is enough that one document moves M₂ by less than the gap after the k-th eigenvalue.",
        _exchange,
        lambda: pictures.turn(pictures.exchanges()),
        "Repair for configuration 2: whiten along fixed, already private directions, where a bound can be proven"
        " (Theorem 5′). It is safe, and large.",
    ),
    GapCard(
        "scaling",
        "σk seems to grow with α₀",
        "the k-th eigenvalue of M₂ grows with α₀, so mixed documents are easier to protect.",
        lambda: (
            "it grows only when M₂ is multiplied by α₀(α₀ + 1), and then what one document can do grows as much."
            " Counted in documents, the signal falls."
        ),
        pictures.scaling,
        "Three topics over 50 words, drawn once. *Worth*: σk over how far one document can move M₂.",
    ),
    GapCard(
        "spending",
        "A variance where a standard deviation is needed",
        "noise N(0, Δ²τ) is enough.",
        lambda: (
            "the lemma behind τ needs a *standard deviation* of Δτ, and the sensitivities are not 1/N. Read letter by"
            " letter, configuration 1 spends more than it says. Read as a standard deviation, its wasteful adding up"
            " happens to cover the difference while α₀ is small."
        ),
        pictures.spending,
        "A lower bound on what is spent, from changes that pairs of corpora attain, composed exactly; the same at any"
        " N. ε = 1, δ = 1e-7, divided evenly over e3, e4 and e8.",
    ),
    GapCard(
        "below",
        "Private lower bounds that are not (Procedure 1)",
        "σk and γs move by at most 1/N, so a little Laplace noise makes lower bounds of them private.",
        lambda: (
            "σk moves by up to 2/N, twice what the noise is scaled to. γs, the smallest gap between the tensor's"
            " eigenvalues, has no such bound: documents of one word each and a rare topic move it much further."
        ),
        pictures.below,
        "Where a lower bound comes out at 0 the noise would have to be infinite. dplda says so, and raises it to no"
        " floor.",
    ),
    GapCard(
        "order",
        "The decomposition is not stable in the way that is used (Theorems 6 and 7)",
        "eigenvectors and eigenvalues of T, and so the topics, move in proportion to T.",
        lambda: (
            "the quoted theorem compares with the orthogonal part of a tensor, and no corpus of finite size gives an"
            " orthogonal one. With equally frequent topics a nudge decides which comes first; and noise for one vector"
            " is put on all k."
        ),
        pictures.order,
        "Nothing published fills this gap, and we know of no bound: configurations 3 and 4 have no corrected"
        " calibration.",
    ),
    GapCard(
        "bases",
        "Two bases that do not meet (configurations 2 and 3)",
        "factors found in the basis of the exact whitening may be led back by a noisy W†.",
        lambda: (
            "the two bases can be turned or mirrored against each other, so topics come back mixed even with no noise"
            " on T at all. The corrected configuration 2 sees T in the basis of the noisy moment."
        ),
        pictures.bases,
        f"Three equal topics without common words, N = {pictures.N_DOCUMENTS:,}, noise on unwhitening only. Mean L1"
        " error of a topic, 0 to 2.",
    ),
    GapCard(
        "vacuous",
        "Bounds on the error that say nothing (Theorems 10 to 13)",
        "the error of each configuration is bounded, so they can be ranked.",
        lambda: (
            "with the hidden constants at 1 the bounds lie above √2 in the paper's own setting, further than two"
            " distributions can ever be apart. Ranking configurations by them means nothing."
        ),
        pictures.vacuous,
        f"ε = 1, δ = 1e-7, N = {pictures.N_DOCUMENTS:,}, d = 100, k = 3, α₀ = 0.1, topics drawn at random. Privacy"
        " draws these bounds beside a prediction.",
    ),
)
