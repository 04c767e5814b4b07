"""One page for a data protection officer: what is protected, from whom, and what remains."""

from collections.abc import Sequence
from dataclasses import dataclass

from dplda.core.formatting import counted
from dplda.privacy.accounting.odds import format_chance, format_odds
from dplda.privacy.release import Guarantee
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import release_sha256
from dplda.release.pictures.dial import risk_dial
from dplda.release.pictures.standing import stand_among_deployments
from dplda.release.report.markup import TEMPLATES
from dplda.release.report.texts import describe_parameters
from dplda.release.shares.shares_file import ReleasedShares
from dplda.release.shares.together import PLANNED_TOGETHER, guarantee_together

PERSON = "person"


@dataclass(frozen=True, slots=True)
class RemainingRisk:
    """One of the three risks that an assessment of published data asks about.

    Attributes:
        name: of the risk.
        question: what it asks.
        answer: what the release allows, in sentences.
    """

    name: str
    question: str
    answer: str


def render_officer_page(artefact: Artefact, tables: Sequence[ReleasedShares] = ()) -> str:
    """Render what a data protection officer asks of a release, as one HTML page to print.

    It is a function of released values alone. Its guarantee is of the topics and tables together.

    Args:
        artefact: the released file.
        tables: tables of shares of its topics, released beside it.
    """
    guarantee = guarantee_together(artefact, tables)
    return TEMPLATES.get_template("officer.html.jinja").render(
        documents=artefact.documents,
        unit=guarantee.adjacency.unit,
        contents=_describe_contents(artefact, tables),
        dial=risk_dial(guarantee.claimed_risk),
        parameters=describe_parameters(guarantee),
        protected=_describe_protection(artefact),
        adversary=_describe_adversary(),
        caveats=[f"{caveat[:1].upper()}{caveat[1:]}." for caveat in guarantee.caveats],
        remaining=list_remaining_risks(guarantee),
        more_releases=_describe_more_releases(bool(tables)),
        standing=stand_among_deployments(guarantee),
        delta=format_odds(guarantee.claimed_delta),
        released_at=artefact.released_at[:10],
        sha256=release_sha256(artefact),
        receipt_number=artefact.receipt_number,
        programs=", ".join(
            f"{library} {library_version}" for library, library_version in artefact.versions.items()
        ),
        rests_on=guarantee.rests_on,
    )


def list_remaining_risks(guarantee: Guarantee) -> tuple[RemainingRisk, ...]:
    """Singling out, linking and inference, each with what the guarantee leaves of it.

    Limits are those that the guarantee claims; whether it is proven is not checked here.

    Args:
        guarantee: of everything that was released.
    """
    unit = guarantee.adjacency.unit
    claimed_risk = guarantee.claimed_risk
    subject_clause = "a person's texts were" if unit == PERSON else "a document was"
    coin_sentence = "Guessing without the release is right 50 times in 100."
    return (
        RemainingRisk(
            "Singling out",
            f"Can somebody tell whether {subject_clause} among these documents?",
            "Told two equally likely candidates, somebody who knows all others is right at most"
            f" {format_chance(claimed_risk.right_guess)}. {coin_sentence} The release has no row,"
            f" no count and no text of any one {unit}.",
        ),
        RemainingRisk(
            "Linking",
            "Can it be joined with other data or another release about the same people?",
            "The limits here hold whatever other data somebody has. They do not cover further"
            " results of the same documents, each of which adds to the risk.",
        ),
        RemainingRisk(
            "Inference",
            f"Can somebody conclude what a {unit} says?",
            f"{claimed_risk.describe_raised_guess(unit)} What the topics say about the documents"
            " as a whole is not protected. Somebody may apply it to a person they know, whether"
            " or not that person's texts were used.",
        ),
    )


def _describe_contents(artefact: Artefact, tables: Sequence[ReleasedShares]) -> str:
    """A sentence on the topics that were published, with ranges if there are any, and on tables."""
    source_phrase = f"{artefact.n_documents:,} documents"
    if artefact.guarantee.adjacency.unit == PERSON:
        source_phrase = f"the documents of {artefact.n_documents:,} persons"
    ranges_phrase = "" if artefact.lower is None else ", with ranges"
    contents_sentence = (
        f"{counted(len(artefact.topics), 'topic')} of {source_phrase}: the probabilities of"
        f" {len(artefact.vocabulary):,} words in each topic{ranges_phrase}, and the topics' sizes."
    )
    if not tables:
        return contents_sentence
    tables_phrase = counted(len(tables), "table")
    return f"{contents_sentence} And {tables_phrase} of topic shares by group or over time."


def _describe_protection(artefact: Artefact) -> str:
    """Whom the guarantee covers, and its limit.

    Persons are not covered where others wrote about them. If documents are protected, the author of
    several is protected less.
    """
    if artefact.guarantee.adjacency.unit == PERSON:
        return (
            f"Each of {artefact.n_documents:,} persons, with everything they wrote. Not from what"
            " others wrote about them."
        )
    return (
        f"Each of {artefact.n_documents:,} documents. Somebody who wrote several of them is"
        " protected less, and somebody who wrote many may not be protected at all."
    )


def _describe_adversary() -> str:
    """Sentences on the readers from whom a release protects, and on those from whom it does not."""
    return (
        "From everybody who reads the release, whatever they know already, including all other"
        " documents, and however they compute, now or later. Not from those who hold the documents"
        " themselves, their computers or their copies."
    )


def _describe_more_releases(has_tables: bool) -> str:
    """Sentences on the ledger that charges further releases, and on tables if there are any."""
    ledger_sentence = (
        "A ledger charges every release of these documents to one budget, which cannot be raised."
        " Results that were made without it are not counted."
    )
    return f"{ledger_sentence} {PLANNED_TOGETHER}" if has_tables else ledger_sentence
