"""A record of a release for OpenDP's deployments registry.

Fields that follow from the released file are filled in; the others have a comment for the owner.
The schema is that of ``opendp/deployments-registry-data``, as it was when the copy of its facts was
made (``standing``).
"""

import re
from collections.abc import Sequence

from dplda.privacy.accounting.odds import format_rounded_up
from dplda.privacy.release import Guarantee
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import release_sha256
from dplda.release.pictures.standing import stand_among_deployments
from dplda.release.publication.yaml_text import Field, write_yaml
from dplda.release.report.texts import rows_of_noise, rows_of_table_noise
from dplda.release.shares.shares_file import ReleasedShares
from dplda.release.shares.together import PLANNED_TOGETHER, guarantee_together
from dplda.release.verdict.outcome import judge_release

PERSON = "person"
HEADING = (
    "# A record for OpenDP's Deployments Registry, made by dplda from the released file.\n"
    "# Fields with a comment are yours to fill in; everything else follows from the release.\n"
)
LONGEST_SLUG = 80


def render_record(artefact: Artefact, tables: Sequence[ReleasedShares] = ()) -> str:
    """Write the record of a released file as YAML; a function of released values alone.

    Args:
        artefact: the released file.
        tables: tables of shares of its topics, released beside it.
    """
    guarantee = guarantee_together(artefact, tables)
    year = artefact.released_at[:4]
    deployment_fields = [
        Field("basic", _basic_fields(artefact, tables)),
        Field("dp_variant", _variant_fields(artefact, guarantee, tables)),
        Field("privacy_loss", _privacy_loss_fields(artefact, guarantee, tables)),
        Field("deployment_model", _model_fields(artefact, tables)),
        Field("implementation", _implementation_fields(artefact, guarantee, tables)),
        Field("administrative", _administrative_fields()),
    ]
    record_fields = [
        Field("url_slug", _slug(f"topics-of-{artefact.documents}-{year}")),
        Field("deployment", deployment_fields),
    ]
    return HEADING + write_yaml(record_fields)


def _basic_fields(artefact: Artefact, tables: Sequence[ReleasedShares]) -> list[Field]:
    """Make the fields on what was released and by whom; what only the owner knows is left empty."""
    curator_fields: list[Field] = [
        Field("data_curator_name", "", "your organization"),
        Field("data_curator_type", "", "Government, Industry or Nonprofit"),
    ]
    tables_sentence = " Tables of their shares by group or over time are released with them."
    return [
        Field("name", f"Topics of {artefact.documents}"),
        Field("data_curators", [curator_fields]),
        Field(
            "description",
            f"{artefact.n_topics} topics of {_count_units(artefact)}: for each topic the"
            f" probabilities of {len(artefact.vocabulary):,} words."
            f"{tables_sentence if tables else ''}",
        ),
        Field("intended_use", "", "why the topics are published, and for whom"),
        Field("data_product_type", "Machine learning model"),
        Field("data_product_region", "", "where the documents come from"),
        Field("data_product_sector", "", "Technology, Healthcare, Education or Government"),
        Field("publication_date", artefact.released_at[:10], "the date of release; change it"),
    ]


def _variant_fields(
    artefact: Artefact, guarantee: Guarantee, tables: Sequence[ReleasedShares]
) -> list[Field]:
    """Make the fields on the kind of differential privacy, its domain and unprotected quantities.

    The kind is always approximate differential privacy.
    """
    unit = guarantee.adjacency.unit
    tables_phrase = ""
    if tables:
        tables_phrase = ", the columns of the tables, the lists of groups or how many were chosen"
    return [
        Field("variant_name", "Approximate DP"),
        Field(
            "data_domain",
            "Collections of documents, each a sequence of words"
            f"{', and each written by one person' if unit == PERSON else ''}.",
        ),
        Field(
            "unprotected_quantities",
            f"The number of {unit}s, the word list or the way words were selected, the method, the"
            f" number of topics, α₀{tables_phrase}, ε and δ. They were not computed from the"
            f" documents.{_name_caveats(guarantee)}",
        ),
    ]


def _privacy_loss_fields(
    artefact: Artefact, guarantee: Guarantee, tables: Sequence[ReleasedShares]
) -> list[Field]:
    """Make the fields on the privacy unit, the number of units, and total ε and δ in words.

    Neighboring collections differ in one unit, which is replaced. ε and δ are rounded up, as on
    every other surface. Details add ε and δ of each table of shares.
    """
    unit = guarantee.adjacency.unit
    claimed_risk = guarantee.claimed_risk
    detail_sentences = [
        claimed_risk.describe_right_guess(unit),
        claimed_risk.describe_raised_guess(unit),
    ]
    for table in tables:
        epsilon, delta = (format_rounded_up(number) for number in (table.epsilon, table.delta))
        detail_sentences.append(
            f"A table of shares has ε = {epsilon}, δ = {delta} of its own, of which the total above"
            " includes what it adds."
        )
    if tables:
        detail_sentences.append(PLANNED_TOGETHER)
    replaced_phrase = "all documents of one person" if unit == PERSON else "one document"
    return [
        Field("privacy_unit", f"{unit.capitalize()}-level"),
        Field(
            "privacy_unit_details",
            f"Two collections are adjacent if they have the same number of {unit}s and differ in"
            f" {replaced_phrase}, replaced by any other (change-one distance of 1).",
        ),
        Field("number_of_privacy_units", artefact.n_documents),
        Field(
            "privacy_parameters",
            [
                Field("epsilon", float(format_rounded_up(guarantee.claimed_epsilon))),
                Field("delta", float(format_rounded_up(guarantee.claimed_delta))),
            ],
        ),
        Field("privacy_parameters_details", "\n".join(detail_sentences)),
    ]


def _model_fields(artefact: Artefact, tables: Sequence[ReleasedShares]) -> list[Field]:
    """Make the fields on the central model, on who is trusted, and on the number of releases.

    There are many releases with tables, else one. Who the actors are is left empty.
    """
    release_type = "Many releases" if tables else "One release"
    return [
        Field("model_name", "Central"),
        Field(
            "trust_assumptions",
            "The owner holds the documents and is trusted with them. Readers of the release are"
            " not: they may know everything else and compute as long as they like.",
        ),
        Field("actors", "", "who holds the documents, and who may read the release"),
        Field("release_type", release_type, "Many releases, if you plan more of these documents"),
        Field(
            "release_type_details",
            "A ledger charges every release of the same documents to one budget before its noise is"
            " drawn, and refuses what exceeds it. It is never refunded.",
        ),
        Field("data_source_type", "Static"),
        Field("access_type", "Non-interactive"),
        Field(
            "access_type_details",
            "Readers get the released file and pages made of it. They cannot ask anything else of"
            " the documents.",
        ),
    ]


def _implementation_fields(
    artefact: Artefact, guarantee: Guarantee, tables: Sequence[ReleasedShares]
) -> list[Field]:
    """Make the fields on preprocessing, mechanisms, composition, usefulness and further facts.

    Mechanisms have a line for each row of noise, of the topics and then of the tables, and a last
    one for the programs. All noise is called Gaussian. The justification is left empty.

    Further facts are the file's SHA-256 and how many registered deployments have a larger ε. The
    latter is left out if the guarantee is not proven.
    """
    programs_text = ", ".join(
        f"{library} {library_version}" for library, library_version in artefact.versions.items()
    )
    rows = [*rows_of_noise(artefact.noisy_values), *rows_of_table_noise(tables)]
    mechanism_lines = [
        f"- Gaussian noise on {quantity_text} ({shape_text}); one {guarantee.adjacency.unit} moves"
        f" it by at most {sensitivity_text}; standard deviation {noise_text}"
        for quantity_text, shape_text, sensitivity_text, noise_text in rows
    ]
    mechanism_lines.append(f"- Programs: {programs_text}")
    verdict = judge_release(artefact)
    standing = stand_among_deployments(guarantee)
    further_facts = [f"SHA-256 of the released file: {release_sha256(artefact)}"]
    further_facts += [] if standing is None else [standing.sentence]
    return [
        Field(
            "preprocessing_and_hyperparameter_tuning",
            "\n".join(f"- {sentence}" for sentence in guarantee.rests_on),
        ),
        Field("mechanisms", "\n".join(mechanism_lines)),
        Field(
            "composition",
            "Gaussian differential privacy: squares of μ of all noisy values add up, and their sum"
            " is stated as ε and δ. δ also covers the chance that selected words give something"
            " away, and the distance of exact noise from Gaussian noise.",
        ),
        Field(
            "post_processing",
            "Topics, their shares, intervals and evidence are computed from the noisy values alone."
            " Names and order of topics may come from the owner.",
        ),
        Field("justification", "", "why this ε, this unit and this method"),
        Field("utility", verdict.describe()),
        Field("additional_information", "\n".join(further_facts)),
    ]


def _administrative_fields() -> list[Field]:
    return [
        Field("status", "Draft"),
        Field("registry_authors", [""], "who filled in this record"),
        Field("tier", 3),
    ]


def _name_caveats(guarantee: Guarantee) -> str:
    """The guarantee's caveats, which ε does not cover, as sentences; empty for none."""
    return "".join(f" {caveat[:1].upper()}{caveat[1:]}." for caveat in guarantee.caveats)


def _count_units(artefact: Artefact) -> str:
    if artefact.guarantee.adjacency.unit == PERSON:
        return f"the documents of {artefact.n_documents:,} persons"
    return f"{artefact.n_documents:,} documents"


def _slug(text: str) -> str:
    """Lowercase letters and digits with hyphens between."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:LONGEST_SLUG].strip("-")
