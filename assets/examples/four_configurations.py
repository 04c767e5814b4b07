"""The paper's four configurations side by side: which edges get noise, and what comes out."""

import dplda
from dplda.core.errors import DpldaError

corpus = dplda.simulate(
    n_documents=20_000, n_words=50, n_topics=3, alpha0=0.3, mean_length=60, seed=0
)
for number in (1, 2, 3, 4):
    plan = dplda.Plan(f"config-{number}", epsilon=3.0, delta=1e-7, calibration="as published")
    try:
        model = dplda.SpectralLDA(3, alpha0=0.3, plan=plan, random_state=0).fit(corpus)
    except DpldaError as refusal:
        print(f"Configuration {number} refuses: {refusal}")
        continue
    error = dplda.topic_error(corpus.truth.topics, model.components_)
    symbols = ", ".join(release.symbol for release in model.releases_)
    print(f"Configuration {number}: noise on {symbols}; L1 error {error.l1_mean:.2f} of 2")
