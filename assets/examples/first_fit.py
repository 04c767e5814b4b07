"""Find topics with a guarantee, and see how far they are from the truth."""

import dplda

corpus = dplda.simulate(
    n_documents=5_000, n_words=100, n_topics=3, alpha0=0.3, mean_length=60, seed=1
)
for epsilon in (0.3, 1.0, 3.0):
    model = dplda.RefinedLDA(n_topics=3, alpha0=0.3, epsilon=epsilon, random_state=1)
    model.fit(corpus)
    error = dplda.topic_error(corpus.truth.topics, model.components_)
    print(f"ε = {epsilon}: L1 error {error.l1_mean:.2f} of 2")
print(model.guarantee_.in_words())
