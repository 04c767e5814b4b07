"""``dplda audit``: attack a method in the terminal."""

from collections.abc import Sequence

from click import Argument, Choice, Option

from dplda.attacks.audit.audited import sabotages_of
from dplda.attacks.audit.harness import AttackResult, Audit, Verdict
from dplda.attacks.audit.promise import describe_promise, make_promise
from dplda.attacks.audit.sabotage import HONEST, Sabotage
from dplda.cli.options import DELTA, PROTECTS, SEED, Command, epsilon_option, progress
from dplda.core.errors import InputError
from dplda.methods.base.method import Method
from dplda.methods.registry import parse_method
from dplda.privacy.release import Guarantee

EXIT_CODES = {  # the last one of any release counts
    Verdict.HOLDS: 0,
    Verdict.UNDECIDED: 3,
    Verdict.CAUGHT: 1,
}


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
    """Audit a method, and print a heading, a verdict on each of its releases, and a closing note.

    Args:
        method: spec of the method.
        epsilon: ε that it promises.
        delta: δ that it promises.
        runs: runs on each neighbor; None for enough to catch noise √2 times too small.
        sabotage: name of a way to break the method; None to leave it as it is.
        protects: ``document`` or ``person``.
        noise: ``simulated``, or ``exact`` as in a release.
        seed: of runs and noise.

    Returns:
        The status of the worst verdict: 0 if all releases hold, 3 if runs were too few, 1 if one
        is caught.

    Raises:
        InputError: there is no such method, or the method has no sabotage of this name.
    """
    audited_method = parse_method(method)
    promise = make_promise(epsilon, delta, persons=protects == "person", exact=noise == "exact")
    audit_run = Audit(
        audited_method,
        promise,
        runs=runs,
        sabotage=_sabotage(audited_method, promise, sabotage),
        seed=seed,
    )
    report = progress()
    verdicts = audit_run.run_all(report)
    report(1.0, "done")
    _print_heading(audit_run)
    _print_verdicts(audit_run, verdicts)
    print("A bound below the claim proves nothing: it only says that this attack found nothing.")
    return EXIT_CODES[max(verdicts, key=[*EXIT_CODES].index)]


def _print_heading(audit_run: Audit) -> None:
    """Print the method, its promise, the sabotage and the number of runs."""
    sabotage_title = audit_run.sabotage.title
    print(
        f"{audit_run.method.title} at {describe_promise(audit_run.promise)}:"
        f" {sabotage_title[:1].lower()}{sabotage_title[1:]};"
        f" {audit_run.runs:,} runs on each of two neighbors."
    )


def _print_verdicts(audit_run: Audit, verdicts: Sequence[Verdict]) -> None:
    """Print the verdict on each release, and below it what it rests on.

    For a release that was not attacked only its refusal.
    """
    results = audit_run.results
    title_width = max(len(result.attack.title) for result in results)
    for result, verdict in zip(results, verdicts, strict=True):
        print(
            f"{result.attack.title:<{title_width}}  {verdict_in_words(audit_run, result, verdict)}"
        )
        if not result.refusal:
            print(f"{'':<{title_width}}  {layers_in_words(audit_run, result)}")


def _sabotage(method: Method, promise: Guarantee, name: str | None) -> Sabotage:
    """The sabotage of this name; ``HONEST`` without one, or if the method has no sabotages at all.

    Raises:
        InputError: the method has other sabotages, and none of this name.
    """
    sabotages = sabotages_of(method, promise)
    if name is not None and sabotages and name not in sabotages:
        raise InputError("--sabotage", "one of " + ", ".join(sabotages), name)
    return sabotages.get(name or "", HONEST)


def verdict_in_words(audit_run: Audit, result: AttackResult, verdict: Verdict) -> str:
    """Describe one release: its claimed ε, the ε that it leaks at least, and the verdict.

    If it holds, adds the smallest factor of missing noise that would have been caught. If
    undecided, adds how many runs would catch half the noise. A refused release has its refusal
    alone.
    """
    if result.refusal:
        return f"refused: {result.refusal}"
    promise = audit_run.promise
    claimed_epsilon = result.attack.as_epsilon(result.claimed_loss, promise)
    epsilon_bound = result.attack.as_epsilon(result.lower, promise)
    sentence = f"claims ε {claimed_epsilon:.3g}, leaks at least {epsilon_bound:.3g}: {verdict}"
    if verdict is Verdict.HOLDS:
        factor = audit_run.smallest_factor_found(result)
        return f"{sentence}; noise {factor:.1f} times too small would have been caught"
    if verdict is Verdict.UNDECIDED:
        n_runs = audit_run.runs_for_half_noise(result)
        return f"{sentence}; about {n_runs:,} runs would catch half the noise"
    return sentence


def layers_in_words(audit_run: Audit, result: AttackResult) -> str:
    """Describe what a verdict rests on: how neighbors, noise and claim fit together.

    Says how close neighbors come to the declared sensitivity, and how large the noise is relative
    to what is declared. Adds a remark if neighbors exceed the sensitivity, and if the same noise
    came twice or else its size differs by more than chance.
    """
    neighbor_search = result.search
    noise_fit = result.noise_fit
    largest_ratio = f"{neighbor_search.largest_ratio:.4f}"
    sentence = f"{neighbor_search.n_tried} neighbors reach {largest_ratio} of its sensitivity"
    if not neighbor_search.holds:
        sentence += ", too far"
    declared_quantity = "size" if noise_fit.laplace else "variance"
    sentence += (
        f"; its noise has {noise_fit.relative_size:.3f} times the declared {declared_quantity}"
    )
    if noise_fit.has_repeats:
        sentence += ", and the same noise came twice"
    elif not noise_fit.holds(audit_run.error):
        sentence += ", too different to be chance"
    return sentence


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
        help="break the method on purpose: half-noise, published-sensitivity, reused-seed,"
        " dropped-e2, ..., last-bits, no-sampling, document-by-document",
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
