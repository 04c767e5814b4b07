"""Theorem 10 with numbers in it, and the noise on every edge, for the paper's configuration 1."""

import dplda
from dplda.theory.theorems.spectrum import from_fit

corpus = dplda.simulate(
    n_documents=20_000, n_words=50, n_topics=3, alpha0=0.3, mean_length=60, seed=0
)
spectrum = from_fit(dplda.SpectralLDA(3, alpha0=0.3).fit(corpus).fit_)
plan = dplda.Plan("config-1", epsilon=3.0, delta=1e-7, calibration="as published")
bound = dplda.utility_bound(plan, n_documents=corpus.n_documents, spectrum=spectrum)
for term in bound.terms:
    print(f"{term.name}: {term.value:.2g}")
print(f"The bound begins to say something at {bound.enough_documents:,.0f} documents.")

sizes = {"n_documents": corpus.n_documents, "n_words": 50, "n_topics": 3, "alpha0": 0.3}
for row in dplda.edge_noise(plan, **sizes, spectrum=spectrum):
    print(row.symbol, f"sensitivity {row.sensitivity:.2g}, scale {row.scale:.2g}")
