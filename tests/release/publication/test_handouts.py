"""Card, data protection page and record say what a release says, safely, and nothing else."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
import yaml

from dplda.core.errors import InputError
from dplda.privacy.accounting.odds import format_chance
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Caveat
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import release_sha256
from dplda.release.publication.card import HEIGHT, N_TOPICS, WIDTH, render_card
from dplda.release.publication.officer import render_officer_page
from dplda.release.publication.record import render_record
from dplda.release.shares.together import guarantee_together
from tests.release.shares.test_share_chart import DISTRICTS, table_of
from tests.release.test_arrangement import five_topics
from tests.release.test_report import HOSTILE, Page

SVG = "{http://www.w3.org/2000/svg}"
RENDERERS = (render_card, render_officer_page, render_record)
SCHEMA = {
    "basic": {
        "name",
        "data_curators",
        "description",
        "intended_use",
        "data_product_type",
        "data_product_region",
        "data_product_sector",
        "publication_date",
    },
    "dp_variant": {"variant_name", "data_domain", "unprotected_quantities"},
    "privacy_loss": {
        "privacy_unit",
        "privacy_unit_details",
        "number_of_privacy_units",
        "privacy_parameters",
        "privacy_parameters_details",
    },
    "deployment_model": {
        "model_name",
        "model_name_details",
        "trust_assumptions",
        "actors",
        "release_type",
        "release_type_details",
        "data_source_type",
        "data_source_type_details",
        "access_type",
        "access_type_details",
    },
    "implementation": {
        "preprocessing_and_hyperparameter_tuning",
        "mechanisms",
        "composition",
        "post_processing",
        "justification",
        "utility",
        "additional_information",
    },
    "administrative": {"evidence_sources", "status", "registry_authors", "tier"},
}


def hostile_release() -> Artefact:
    names = (HOSTILE[0], HOSTILE[2], "it's: a # 'name'", HOSTILE[4], None)
    return replace(
        five_topics(), documents="</title>\n- a: 'b' #\u2028", names=names, vocabulary=HOSTILE[:3]
    )


def person_release() -> Artefact:
    release_of_documents = five_topics()
    return replace(
        release_of_documents,
        guarantee=replace(release_of_documents.guarantee, adjacency=Adjacency.REPLACE_PERSON),
        n_documents=805,
    )


def card_texts(card: str) -> list[str]:
    return [node.text or "" for node in ET.fromstring(card).iter(f"{SVG}text")]


@pytest.mark.parametrize("render", RENDERERS, ids=lambda render: render.__name__)
def test_handout_never_says_anonymous(render) -> None:
    for release in (five_topics(), person_release()):
        assert "anonym" not in render(release).lower()


@pytest.mark.parametrize("render", RENDERERS, ids=lambda render: render.__name__)
def test_handout_of_topics_with_a_table_says_the_risk_of_both(render) -> None:
    topics = five_topics()
    tables = [table_of(topics, [DISTRICTS], noise_std=1.0)]
    combined_guarantee = guarantee_together(topics, tables)
    assert combined_guarantee.claimed_epsilon > topics.guarantee.claimed_epsilon
    number = format_chance(combined_guarantee.claimed_risk.right_guess).split()[0]
    assert number != format_chance(topics.guarantee.claimed_risk.right_guess).split()[0]
    assert re.search(rf"\b{number}\b", render(topics, tables))


@pytest.mark.parametrize("render", RENDERERS, ids=lambda render: render.__name__)
def test_handout_states_what_the_owner_looked_at(render) -> None:
    plain_release = five_topics()
    looked = replace(
        plain_release, guarantee=replace(plain_release.guarantee, caveats=(Caveat.LOOKED,))
    )
    page_text = " ".join(render(looked).split())
    assert "saw results without noise" in re.sub(r"</text> <text[^>]*>", " ", page_text)


def test_card_is_an_image_that_asks_for_nothing() -> None:
    card = render_card(hostile_release(), file_at='"><script>alert(1)</script>')
    root = ET.fromstring(card)
    assert (root.get("width"), root.get("height")) == (str(WIDTH), str(HEIGHT))
    assert not {node.tag.removeprefix(SVG) for node in root.iter()} & {"script", "image", "a"}
    attributes = {name for node in root.iter() for name in node.attrib}
    assert not any(name.startswith("on") or name.endswith("href") for name in attributes)
    assert "url(" not in card
    assert "prefers-color-scheme: dark" in card


def test_card_names_the_three_largest_topics() -> None:
    named_release = replace(five_topics(), names=("a1", "b2", "c3", "d4", "e5"))
    texts = card_texts(
        render_card(replace(named_release, topic_shares=np.array([0.1, 0.2, 0.3, 0.4, 0])))
    )
    shown_names = [text for text in texts if text in named_release.names]
    assert shown_names == ["d4", "c3", "b2"]
    assert len(shown_names) == N_TOPICS


def test_card_of_a_release_that_found_nothing_names_no_topic() -> None:
    plain_release = five_topics()
    nothing = replace(plain_release, evidence=replace(plain_release.evidence, by_topic=np.zeros(5)))
    assert "No topic stands out from the noise." in card_texts(render_card(nothing))


def test_card_says_whom_it_protects_beside_where_the_file_is() -> None:
    release_of_persons = person_release()
    texts = card_texts(render_card(release_of_persons))
    assert "Differential privacy protects each of 805 people with everything they wrote." in texts
    assert any(release_sha256(release_of_persons)[:32] in text for text in texts)
    assert "The file: example.org/x" in card_texts(
        render_card(release_of_persons, file_at=" example.org/x\n")
    )
    with pytest.raises(InputError, match="at most 100 characters"):
        render_card(release_of_persons, file_at="x" * 101)


def test_officer_page_of_hostile_words_is_complete_text() -> None:
    page = Page(render_officer_page(hostile_release()))
    assert not {"script", "img", "link", "form"} & set(page.tags)
    for heading in ("Protected", "From whom", "Singling out", "Linking", "Inference"):
        assert heading in page.text
    assert release_sha256(hostile_release()) in page.text
    assert "</title>" in page.text


def test_record_follows_the_schema_of_the_registry() -> None:
    release_of_persons = person_release()
    record = yaml.safe_load(render_record(release_of_persons))
    assert set(record) == {"url_slug", "deployment"}
    assert set(record["deployment"]) == set(SCHEMA)
    for part, fields in record["deployment"].items():
        assert set(fields) <= SCHEMA[part]
    basic = record["deployment"]["basic"]
    assert basic["data_product_type"] in ("Summary statistics", "Machine learning model", "Dataset")
    assert basic["publication_date"] == "2026-01-01"
    loss = record["deployment"]["privacy_loss"]
    assert loss["number_of_privacy_units"] == 805
    assert loss["privacy_parameters"] == {"epsilon": 1.0, "delta": 1e-6}
    assert record["deployment"]["administrative"]["status"] == "Draft"
    assert record["deployment"]["administrative"]["tier"] == 3


def test_record_of_hostile_words_is_read_back_as_they_are() -> None:
    text = render_record(hostile_release())
    record = yaml.safe_load(text)
    assert record["deployment"]["basic"]["name"].startswith("Topics of </title>")
    assert re.fullmatch(r"[a-z0-9-]+", record["url_slug"])


def test_record_marks_every_empty_field_for_the_owner() -> None:
    for line in render_record(five_topics()).splitlines():
        if line.rstrip().endswith(": ''"):
            raise AssertionError(f"no comment: {line}")
