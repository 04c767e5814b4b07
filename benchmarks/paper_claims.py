"""Verdicts on every claim of the papers' figures, from the shipped results, for the page of results."""

from collections.abc import Iterator

from dplda.experiments.papers.claims import Judged, judge_claims
from dplda.experiments.papers.precomputed import stored_results
from dplda.experiments.papers.presets import PRESETS
from dplda.experiments.papers.verdict_text import describe_reason, describe_refusals

TITLE = "The papers' claims"
WORDS = (
    "Each claim on the ranking of methods, under each reading of the paper's noise that was run. Draws of both"
    " methods are ranked on each corpus, over the claim's values of ε together; random divisions of the draws give the"
    " chance. A claim holds if every comparison is found at 1 %. It does not hold if one is found reversed, at 1 %"
    " shared among all. A refusal ranks behind every number. *Authors' code* and *unscaled* are not private; *unscaled*"
    " is an inference. `python -m benchmarks presets --only figure-2a` and so on compute the runs anew."
)
HEADS = ["figure", "claim", "noise", "verdict", "decided by", "draws", "refusals"]


def rows() -> Iterator[list[str]]:
    """One line for each claim and reading, in the order of the figures; cells as under ``HEADS``."""
    for name, preset in PRESETS.items():
        results = stored_results(name)
        if results is None or not preset.claims:
            continue
        for judged_claim in judge_claims(preset.claims, results.frame, preset.measure):
            yield _cells(name, judged_claim)


def _cells(name: str, judged_claim: Judged) -> list[str]:
    """The line of one claim: figure, claim, reading, verdict, reason, numbers of draws, and refusals."""
    n_better, n_worse = judged_claim.deciding.n_runs
    refusals = describe_refusals(judged_claim).partition(": ")[2]
    return [
        name,
        judged_claim.claim.words,
        str(judged_claim.claim.reading),
        f"**{judged_claim.verdict}**",
        describe_reason(judged_claim),
        f"{n_better} and {n_worse}",
        refusals,
    ]
