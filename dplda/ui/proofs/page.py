"""What the paper proves and what it does not: each gap in plain words, with numbers worked out on the spot."""

import math
from functools import lru_cache

import pandas as pd
import streamlit as st

from dplda.core.formatting import digits
from dplda.corpus import simulate
from dplda.methods.configurations import REGISTRY
from dplda.privacy.release import Status
from dplda.theory.theorems import gaps, sensitivities
from dplda.theory.theorems.gaps import Counterexample, ScalingRow
from dplda.ui.proofs import pictures
from dplda.ui.shell import glossary
from dplda.ui.shell.frame import Experiment, Header
from dplda.ui.shell.keys import Key
from dplda.ui.shell.link import DELTAS, EPSILONS, delta_text, epsilon_text

DOCUMENTS = (440, 4_400, 44_000, 440_000, 4_400_000)
DEFAULT_DOCUMENTS, DEFAULT_EPSILON, DELTA = 4_400, 1, DELTAS[2]
ALPHAS = (0.1, 1.0, 10.0, 1000.0)
_rotation, _exchange = lru_cache(maxsize=16)(gaps.rotation), lru_cache(maxsize=16)(gaps.exchange)


def header(experiment: Experiment) -> Header:
    """Nothing of the experiment: the page is the same whatever it is."""
    return Header(("Examples with numbers of their own: the sidebar changes none of them.",), on_documents=False)


def verdicts() -> None:
    """One row a configuration, folded: what may be claimed of each calibration."""
    rows = []
    for known in REGISTRY.values():
        for scaling, variant in known.variants.items():
            proven = variant.status is Status.PROVEN
            rows.append(
                {
                    "configuration": known.label,
                    "noise on": ", ".join(known.edges),
                    "calibration": f"{scaling.value}: {'proven' if proven else 'not proven'}",
                    "because": "Sensitivity holds for all neighbouring corpora." if proven else variant.rests_on[0],
                }
            )
    with st.expander("Where this leaves the configurations", icon=":material/gavel:"):
        st.markdown(
            "The paper puts noise on four different cuts of the flow and states for each how far one document can move"
            " what is noised. A claim of privacy stands or falls with that number. Some of these numbers are right,"
            " some are slightly off, and some have a counterexample."
        )
        st.table(pd.DataFrame(rows).set_index("configuration"))
        st.caption(
            "Configurations 3 and 4 have no corrected calibration: no bound on how far one document moves the"
            " decomposed factors follows from what is published, and we know of none."
        )
        glossary.popover("configuration cut calibration as_published proven")


def moments() -> None:
    """Theorem 4: the moments move further than stated."""
    n = _documents()
    st.header("1. The moments move further than 2/N (Theorem 4)", anchor=False)
    rows = [
        {
            "α₀": f"{alpha0:g}",
            "claimed": digits(2 / n),
            "M₂, true": digits(sensitivities.pair_moment_l1(n_documents=n, alpha0=alpha0)),
            "M₃, appendix": digits(sensitivities.triple_moment_h2(n_documents=n, alpha0=alpha0)),
            "M₃, true": digits(sensitivities.triple_moment_l1(n_documents=n, alpha0=alpha0)),
            "passed by": f"{digits(sensitivities.triple_moment_l1(n_documents=n, alpha0=alpha0) * n / 2, 2)} times",
        }
        for alpha0 in ALPHAS
    ]
    pictures.moments(n, ALPHAS)
    st.markdown(
        "**Claim**: one document moves each moment by at most 2/N. **What is true**: it also enters the products of"
        " averages that make M₂ and M₃ out of plain frequencies, so it pulls more than once. The paper's own"
        " appendix says so for M₂ and forgets two of three such terms for M₃."
    )
    pictures.numbers(rows, "α₀")
    histogram = math.sqrt(2) / n
    st.caption(
        f"L1 changes, attained by real pairs of corpora. Repair: release the plain averages ({digits(histogram, 2)}"
        " each, √2/N whatever α₀ is) and make the moments from those. That is what the corrected calibrations do."
    )
    st.select_slider(
        "Documents N in the examples",
        DOCUMENTS,
        value=DEFAULT_DOCUMENTS,
        format_func=lambda n: f"{n:,}",
        key=Key.PROOF_DOCUMENTS,
        persist_state="session",
        help="The paper's bounds shrink as 1/N. Watch which of the true changes do.",
    )
    glossary.popover("sensitivity moments tensor whitening sigma_k gap gamma_s factors bound")


def rotation() -> None:
    """Theorem 5: the whitened tensor jumps."""
    found = _rotation(_documents())
    st.header("2. The whitened tensor jumps (Theorem 5)", anchor=False)
    st.markdown(
        "**Claim**: one document moves the whitened tensor T by something of size 1/N. **What is true**: the whitening"
        " is built from eigenvectors. Where two eigenvalues nearly agree, one document can turn their eigenvectors by"
        f" a large angle, and T turns along. {_story(found)}"
    )
    pictures.turn("rotation", [_rotation(n) for n in DOCUMENTS], DOCUMENTS)
    _numbers(found)
    st.caption(
        "The change does not shrink with N and the bound does. Noise scaled to the bound does not hide which of the two"
        " corpora was used: *Who was in?* shows it."
    )


def exchange() -> None:
    """The same under the condition that the proof uses."""
    found = _exchange(_documents())
    st.header("3. A gap between eigenvalues does not save it", anchor=False)
    st.markdown(
        "**Claim**: the proof asks for one document to move M₂ by less than the gap after the k-th eigenvalue."
        f" **What is true**: here the gap is {digits(found.gap, 2)} times what one document can do, only one direction"
        f" is kept, and yet: {_story(found)}"
    )
    pictures.turn("exchange", [_exchange(n) for n in DOCUMENTS], DOCUMENTS)
    _numbers(found)
    st.caption(
        "Repair for configuration 2: whiten along fixed, already private directions, where a bound can be proven"
        " (Theorem 5′). It is safe and large."
    )


def scaling() -> None:
    """σk against α0 in both scalings."""
    n = _documents()
    st.header("4. σk seems to grow with α₀", anchor=False)
    st.markdown(
        "**Claim**: the k-th eigenvalue of M₂ grows with α₀, so mixed documents are easier to protect. **What is"
        " true**: it grows only when M₂ is multiplied by α₀(α₀ + 1), and then what one document can do grows as much."
        " Counted in documents, the signal falls."
    )
    rows = [
        {
            "α₀": f"{row.alpha0:g}",
            "σk as defined": digits(row.unscaled, 2),
            "σk multiplied": digits(row.scaled, 2),
            "worth how many documents": f"{row.per_document:,.3g}",
        }
        for row in _scalings(n)
    ]
    pictures.scaling(_scalings(n))
    pictures.numbers(rows, "α₀")
    st.caption("Three topics over 50 words, drawn once. *Worth*: σk over how far one document can move M₂.")


def spending() -> None:
    """Variance or standard deviation, and sensitivities of 1/N."""
    st.header("5. A variance where a standard deviation is needed", anchor=False)
    st.markdown(
        "**Claim**: noise N(0, Δ²τ). **What is true**: the lemma behind τ needs a *standard deviation* of Δτ, and the"
        " sensitivities are not 1/N. Read letter by letter, configuration 1 spends more than it says; read as a"
        " standard deviation, wasteful adding up happens to cover the difference while α₀ is small."
    )
    epsilon = st.select_slider(
        "ε as claimed",
        EPSILONS,
        value=DEFAULT_EPSILON,
        format_func=epsilon_text,
        key=Key.PROOF_EPSILON,
        persist_state="session",
        help=f"δ is {delta_text(DELTA)}; ε and δ are divided evenly over e3, e4 and e8.",
    )
    deviation, variance = ([_spent(float(epsilon), alpha0, reading) for alpha0 in ALPHAS] for reading in (False, True))
    rows = [
        {
            "α₀": f"{alpha0:g}",
            "spent, as a deviation": _beside(one, float(epsilon)),
            "spent, as a variance": _beside(other, float(epsilon)),
        }
        for alpha0, one, other in zip(ALPHAS, deviation, variance, strict=True)
    ]
    pictures.spending(float(epsilon), deviation, variance, ALPHAS)
    pictures.numbers(rows, "α₀")
    st.caption("At least this much: from changes that pairs of corpora attain, composed exactly; the same at any N.")


def bounds_below() -> None:
    """Procedure 1 and γs."""
    st.header("6. Private lower bounds that are not (Procedure 1)", anchor=False)
    n = _documents()
    p = 0.01
    st.markdown(
        "**Claim**: σk and γs move by at most 1/N, so a little Laplace noise makes lower bounds of them private. **What"
        " is true**: σk moves by up to 2/N, twice what the noise is scaled to. γs, the smallest gap between the"
        " tensor's eigenvalues, has no such bound: with documents of one word each and a rare topic of share"
        f" {p:.0%} it moves by about {digits(p**-1.5 / 8 / n, 2)}, where {digits(2 / n, 2)} is claimed. And where a"
        " lower bound comes out at 0 the noise would have to be infinite: we say so, and raise it to no floor."
    )
    pictures.below(DOCUMENTS, p)


def _story(found: Counterexample) -> str:
    listed = ", ".join(f"{number:,} × “{kind}”" for kind, number in found.documents)
    before, after = found.replaced
    return f"Take {listed}, and replace a single “{before}” by “{after}” (each digit is a word)."


def _numbers(found: Counterexample) -> None:
    with st.container(horizontal=True):
        st.metric("Theorem 5 allows", digits(found.published, 2), border=True, help="The paper's (64), constants kept.")
        st.metric("T really moves by", digits(found.change), border=True, help="Least over all orders and signs.")
        st.metric("Passed", f"{found.ratio:,.0f} ×", border=True, help="The change over what is allowed.")


def _beside(spent: float, claimed: float) -> str:
    return f"ε {digits(spent, 2)}, {'more than' if spent > claimed else 'within'} the claim"


def _documents() -> int:
    return int(st.session_state.get(Key.PROOF_DOCUMENTS, DEFAULT_DOCUMENTS))  # the slider stands below a picture


@lru_cache(maxsize=64)
def _spent(epsilon: float, alpha0: float, variance: bool) -> float:
    return gaps.spent_by_published_config_1(epsilon=epsilon, delta=DELTA, alpha0=alpha0, variance=variance)


@lru_cache(maxsize=16)
def _scalings(n_documents: int) -> tuple[ScalingRow, ...]:
    drawn = simulate(
        n_documents=3, n_words=50, n_topics=3, alpha0=1.0, mean_length=3, seed=0, topic_concentration=0.1
    ).truth
    assert drawn is not None
    return gaps.scalings(drawn.topics, drawn.alpha / drawn.alpha.sum(), ALPHAS, n_documents=n_documents)
