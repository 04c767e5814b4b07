"""The spectral method and private variational inference on the same documents."""

import dplda

corpus = dplda.simulate(
    n_documents=5_000, n_words=50, n_topics=3, alpha0=0.3, mean_length=40, seed=0
)
settings = {"alpha0": 0.3, "epsilon": 1.0, "delta": 1e-7, "random_state": 0}
for method in (dplda.RefinedLDA, dplda.DPVariationalLDA):
    model = method(3, **settings).fit(corpus)
    error = dplda.topic_error(corpus.truth.topics, model.components_)
    print(f"{method.__name__}: L1 error {error.l1_mean:.2f} of 2")
