"""The place of an ε among registered deployments is counted, and compares like with like."""

import json
from dataclasses import replace

import pytest

from dplda.core import assets
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Caveat, Guarantee, Status
from dplda.release.pictures.standing import registered_deployments, stand_among_deployments

PERSON = Guarantee(
    Status.PROVEN, 1.0, 1e-7, (), Adjacency.REPLACE_PERSON, (), True, is_gaussian=True
)


def test_registry_copy_states_source_license_with_date() -> None:
    stored_json = json.loads((assets.folder() / "registry" / "deployments.json").read_text("utf-8"))
    assert "OpenDP" in stored_json["source"]
    assert stored_json["license"].startswith("MIT")
    for entry in stored_json["deployments"]:
        assert entry["covers"] in ("person", "part of a person", "record", "unknown")
        assert entry["epsilon"] > 0
        assert len(entry["published"]) == 10


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 4.0, 50.0])
def test_standing_of_a_release_by_person_counts_larger_epsilons_only(epsilon) -> None:
    deployments, copied = registered_deployments()
    larger = [deployment for deployment in deployments if deployment.epsilon > epsilon]
    standing = stand_among_deployments(replace(PERSON, claimed_epsilon=epsilon))
    assert f"of {len(deployments)} registered deployments that state an ε" in standing.sentence
    assert f"{len(larger)} promise less" in standing.sentence
    assert copied in standing.caption
    assert len(standing.dots) == len(deployments)
    assert 0 <= float(standing.here) <= standing.width
    assert all(0 < float(dot.y) < standing.height for dot in standing.dots)


def test_standing_of_a_release_by_document_claims_no_better_promise() -> None:
    by_document = replace(PERSON, adjacency=Adjacency.REPLACE_ONE)
    sentence = stand_among_deployments(by_document).sentence
    assert "promise less" not in sentence
    assert "protect more than one document" in sentence


def test_standing_of_an_unproven_guarantee_is_not_stated() -> None:
    assert stand_among_deployments(replace(PERSON, caveats=(Caveat.SEED,))) is None
    assert stand_among_deployments(replace(PERSON, mechanism=Status.AS_PUBLISHED)) is None
