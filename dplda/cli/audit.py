"""``dplda audit``: attack a method in the terminal."""

from click import Argument, Choice, Option

from dplda.attacks.audit.audited import sabotages
from dplda.attacks.audit.harness import AttackResult, Audit, Verdict
from dplda.attacks.audit.promise import in_short, promised
from dplda.attacks.audit.sabotage import HONEST
from dplda.cli.options import DELTA, PROTECTS, SEED, Command, epsilon_option, progress
from dplda.core.errors import InputError
from dplda.methods.registry import parse_method

EXIT = {
    Verdict.HOLDS: 0,
    Verdict.UNDECIDED: 3,
    Verdict.CAUGHT: 1,
}  # the last one of any release counts


def audit(
    method: str,
    epsilon: float,
    delta: float,
    runs: int | None,
    sabotage: str | None,
    protects: str,
    noise: str,
    seed: int,
) -> int:
    """Audit a method and print its releases; returns 0 if all hold, 1 if one is caught, 3 if runs were too few."""
    known = parse_method(method)
    promise = promised(epsilon, delta, persons=protects == "person", exact=noise == "exact")
    ways = sabotages(known, promise)
    if sabotage is not None and ways and sabotage not in ways:
        raise InputError("--sabotage", "one of " + ", ".join(ways), sabotage)
    what = Audit(known, promise, runs=runs, sabotage=ways.get(sabotage or "", HONEST), seed=seed)
    report = progress()
    verdicts = what.all(report)
    report(1.0, "done")
    said = what.sabotage.title[:1].lower() + what.sabotage.title[1:]
    print(
        f"{known.title} at {in_short(promise)}: {said}; {what.runs:,} runs on each of two neighbors."
    )
    width = max(len(tried.attack.title) for tried in what.tried)
    for tried, verdict in zip(what.tried, verdicts, strict=True):
        print(f"{tried.attack.title:<{width}}  {in_words(what, tried, verdict)}")
        if not tried.refused:
            print(f"{'':<{width}}  {layers_in_words(what, tried)}")
    print("A bound below the claim proves nothing: it only says that this attack found nothing.")
    return EXIT[max(verdicts, key=[*EXIT].index)]


def in_words(what: Audit, tried: AttackResult, verdict: Verdict) -> str:
    """One release: claim, bound, verdict, and how sharp the test was."""
    if tried.refused:
        return f"refused: {tried.refused}"
    claim, bound = (
        tried.attack.as_epsilon(value, what.promise) for value in (tried.claimed, tried.lower)
    )
    line = f"claims ε {claim:.3g}, leaks at least {bound:.3g}: {verdict}"
    if verdict is Verdict.HOLDS:
        return f"{line}; noise {what.would_find(tried):.1f} times too small would have been caught"
    if verdict is Verdict.UNDECIDED:
        return f"{line}; about {what.needed(tried):,} runs would catch half the noise"
    return line


def layers_in_words(what: Audit, tried: AttackResult) -> str:
    """How close neighbors come to the sensitivity, and how large the noise is."""
    climb, law = tried.climb, tried.law
    said = f"{climb.tried} neighbors reach {climb.most:.4f} of its sensitivity" + ", too far" * (
        not climb.holds
    )
    said += (
        f"; its noise has {law.size:.3f} times the declared {'size' if law.laplace else 'variance'}"
    )
    if law.twice:
        return f"{said}, and the same noise came twice"
    return said if law.holds(what.error) else f"{said}, too different to be chance"


COMMAND = Command(
    "audit",
    audit,
    Argument(["method"]),
    epsilon_option(required=True),
    DELTA,
    Option(
        ["--runs"],
        type=int,
        help="runs on each neighbor (default: enough to catch noise √2 times too small)",
    ),
    Option(
        ["--sabotage"],
        metavar="WAY",
        help="break the method on purpose: half-noise, published-sensitivity, reused-seed, dropped-e2, ..., last-bits,"
        " no-sampling, document-by-document",
    ),
    PROTECTS,
    Option(
        ["--noise"],
        type=Choice(["simulated", "exact"]),
        default="simulated",
        help="exact: as in a release",
    ),
    SEED,
)
