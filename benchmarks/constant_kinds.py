"""Kinds of constants of *Refined*, as the command that measures their costs takes them."""

WITH_PRIOR = frozenset(
    {
        "MIN_PRIOR_ADVANTAGE",
        "PRIOR_ADVANTAGE_STDS",
        "FULL_LEANING_EXCESS",
        "LEANING_DOCUMENT_WORDS",
        "EMPTY_TOPIC_SIZE",
        "EMPTY_TOPIC_STDS",
        "MAX_PAIR_NOISE",
        "START_NOISE_FACTOR_WITH_PRIOR",
        "MAX_PRIOR_ADVANTAGE",
        "INITIAL_PRIOR_POWER",
        "PRIOR_POWER_MIDPOINT",
        "PRIOR_TEST_SHARE_FACTOR",
        "MIN_SIZE_FOR_PRIOR_TEST",
        "prior_only_noise",
    }
)
"""Constants that only a run with public knowledge reads."""
OF_EVIDENCE = frozenset(
    {
        "EVIDENCE_SHARE_FACTOR",
        "MAX_CONTINUED_EVIDENCE_SHARE",
        "max_evidence_share",
        "BACKGROUND_SHARE",
        "MAX_TOPIC_PART",
    }
)
"""Constants whose cost is seen in evidence."""
SHARES = frozenset({"max_noisy_start_share", "largest_start_share"})
"""Constants that have to stay below 1."""
NOT_MEASURED = {
    "prior_test_share": "None; see `PRIOR_TEST_SHARE_FACTOR`",
    "TOPIC_CONTRAST": "divides `prior_only_noise`; see `lost-topics`",
    "N_PRIOR_PASSES": "not varied: it belongs to the making of a table",
    "N_PRIOR_STARTS": "not varied: it belongs to the making of a table",
    "PRIOR_PSEUDOCOUNT": "not varied: it belongs to the making of a table",
    "SEED_RATIO": "not varied: it belongs to the making of a table",
    "N_NULL_RUNS": "more runs make the null surer and take longer",
    "SIGNIFICANCE_LEVEL": "a convention",
    "NULL_TOPIC_LEVEL": "a convention",
    **dict.fromkeys(("MIN_NULL_RUNS", "MIN_NULL_TOPICS"), "more runs make the null surer"),
    **dict.fromkeys(("OPTIMISM_DOCUMENTS", "MAX_OPTIMISM_RUNS"), "more runs make it surer"),
    **dict.fromkeys(("OPTIMISM_FACTOR", "OPTIMISM_DOUBT", "GAIN_SPREAD"), "see `held-out`"),
    **dict.fromkeys(("CLIPPING_DOUBT", "MAX_CLIPPED_RATIO"), "see `held-out`"),
    "N_BOOTSTRAP_TOPICS": "more runs make error bars surer and take longer",
}
"""Constants that this command does not vary, and why."""
