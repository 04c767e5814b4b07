"""What the paper says of the decomposition, of configurations 2 and 3 and of the error, with live numbers."""

import pandas as pd
import streamlit as st

from dplda.corpus import simulate
from dplda.shown import digits
from dplda.spectral.population import Population
from dplda.theorems import instability
from dplda.theorems.instability import Mismatch
from dplda.theorems.readings import TRIVIAL
from dplda.theorems.spectrum import from_population

EPSILONS = (0.5, 1.0, 3.0, 10.0, 100.0)
N_DOCUMENTS, DELTA = 100_000, 1e-7


def order() -> None:
    """Theorems 6 and 7: the order of equal topics."""
    st.header("7. The decomposition is not stable in the way that is used (Theorems 6 and 7)", anchor=False)
    found = instability.swap()
    st.markdown(
        "**Claim**: eigenvectors and eigenvalues of T, and so the topics, move in proportion to T. **What is true**:"
        " the theorem that is quoted compares with the orthogonal part of a tensor, and no corpus of finite size gives"
        " an orthogonal one. With equally frequent topics a nudge decides which comes first; and noise for one vector"
        " is put on all k. Nothing published fills this gap."
    )
    with st.container(horizontal=True):
        st.metric("Two tensors are apart by", f"{found.apart:.0e}", border=True, help="Frobenius distance.")
        st.metric("Their first vectors by", digits(found.moved), border=True, help="√2 is as far as vectors can be.")


def bases() -> None:
    """Configurations 2 and 3: unwhitening in another basis."""
    st.header("8. Two bases that do not meet (configurations 2 and 3)", anchor=False)
    st.markdown(
        "**Claim**: factors found in the basis of the exact whitening may be led back by a noisy W†. **What is true**:"
        " the two bases can be turned or mirrored against each other, so that topics come back mixed even with no noise"
        " on T at all. The corrected configuration 2 sees T in the basis of the noisy moment."
    )
    rows = []
    for epsilon in EPSILONS:
        found = _mismatch(epsilon)
        rows.append(
            {
                "ε": f"{epsilon:g}",
                "error as published": digits(found.as_published, 2),
                "error in one basis": digits(found.aligned, 2),
            }
        )
    st.table(pd.DataFrame(rows).set_index("ε"))
    st.caption(
        f"Three equal topics without common words, N = {N_DOCUMENTS:,}, noise on unwhitening only. Mean L1 error of a"
        " topic, 0 to 2. The first column hardly falls as ε grows: it is no price of privacy."
    )


def vacuous() -> None:
    """Theorems 10 to 13 in the paper's own setting."""
    st.header("9. Bounds on the error that say nothing (Theorems 10 to 13)", anchor=False)
    st.markdown(
        "**Claim**: the error of each configuration is bounded, so they can be ranked. **What is true**: with the"
        " hidden constants at 1 the bounds lie above √2 in the paper's own setting, further than two"
        " distributions can ever be apart; ranking configurations by them means nothing. The Privacy page draws them"
        " beside a predictor."
    )
    st.table(pd.DataFrame(_bounds()).set_index("configuration"))
    st.caption(
        f"The paper's expressions with constant 1 at ε = 1, δ = 1e-7, N = {N_DOCUMENTS:,}, d = 100, k = 3, α₀ = 0.1,"
        f" topics drawn at random. Above {TRIVIAL:.2f} a bound is vacuous."
    )
    st.page_link("pages/privacy.py", label="Back to Privacy", icon=":material/account_tree:")


@st.cache_data(show_spinner=False, max_entries=16)
def _mismatch(epsilon: float) -> Mismatch:
    return instability.mismatch(n_documents=N_DOCUMENTS, epsilon=epsilon, delta=DELTA)


@st.cache_data(show_spinner=False, max_entries=1)
def _bounds() -> list[dict[str, str]]:
    truth = simulate(n_documents=3, n_words=100, n_topics=3, alpha0=0.1, mean_length=3, seed=0).truth
    assert truth is not None
    spectrum = from_population(Population(truth.topics, truth.alpha))
    bounds = instability.published_bounds(spectrum, n_documents=N_DOCUMENTS, epsilon=1.0, delta=DELTA)
    return [
        {"configuration": title, "bound": digits(bound.total), "says": "nothing" if bound.vacuous else "something"}
        for title, bound in bounds
    ]
