"""Topic shares by group with a guarantee of their own, after the topics."""

import numpy as np

import dplda

corpus = dplda.simulate(
    n_documents=4_000, n_words=60, n_topics=3, alpha0=0.3, mean_length=60, seed=0
)
model = dplda.RefinedLDA(3, alpha0=0.3, epsilon=1.0, random_state=0).fit(corpus)
districts = np.random.default_rng(0).choice(["north", "south", "west"], corpus.n_documents)
shares = dplda.topic_shares(
    model, corpus, districts, ["north", "south", "west"], epsilon=0.3, random_state=0
)
for district, row in zip(shares.groups, shares.shares, strict=True):
    print(district, " ".join(f"{share:.0%}" for share in row))
chance = shares.probability_larger("north", "south", 0)
print(f"Topic 1 is larger in the north in {chance:.0%} of possible tables.")
print(shares.guarantee.in_words())
