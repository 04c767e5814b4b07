"""An owner's arrangement changes what is shown, never what was released, and is undone to the byte."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplda.core.errors import ReadError
from dplda.evaluation.evidence import ReleasedEvidence
from dplda.methods.base.prior_source import PriorKind, PriorSource
from dplda.release.artefact.arrangement import arrange, describe_arrangement
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.findings import name_by_themes
from dplda.release.artefact.released_file import read_release, write_release
from dplda.release.report.page import render_report
from dplda.release.report.released import contents_of_release
from tests.release.test_artefact import artefact, thirds

K = 5


def five_topics() -> Artefact:
    plain_release = artefact(thirds(1.0, 1e-6), 1.0, 1e-6)
    words = np.random.default_rng(0).dirichlet(np.ones(3), K)
    evidence = ReleasedEvidence(2.0, 0.1, 50.0, 0.1, np.array([0.9, 0.7, 0.5, 0.4, 0.0]), 0.05)
    interval_ends = {"lower": np.clip(words - 0.1, 0, 1), "upper": np.clip(words + 0.1, 0, 1)}
    shares = np.array([0.4, 0.3, 0.2, 0.1, 0.0])
    return replace(
        plain_release,
        topics=words,
        topic_shares=shares,
        evidence=evidence,
        n_topics=K,
        **interval_ends,
    )


@given(st.permutations(range(K)), st.integers(1, K), st.integers(1, 3))
def test_merged_topic_is_the_weighted_mean_of_its_parts(order, n_shown, size) -> None:
    groups = tuple(tuple(order[i : i + size]) for i in range(0, n_shown, size))
    release_in_groups = replace(
        five_topics(), groups=groups, names=("tea", None, None, None, "rest")
    )
    arranged = arrange(release_in_groups)
    rows = [list(group) for group in groups]
    assert arranged.names == tuple(release_in_groups.names[group[0]] for group in groups)
    np.testing.assert_allclose(
        arranged.topic_shares, [np.sum(release_in_groups.topic_shares[row]) for row in rows]
    )
    np.testing.assert_allclose(arranged.topics.sum(axis=1), 1)
    for parts, means in (
        (release_in_groups.lower, arranged.lower),
        (release_in_groups.topics, arranged.topics),
        (release_in_groups.upper, arranged.upper),
    ):
        for row, mean in zip(rows, means, strict=True):
            weights = (
                release_in_groups.topic_shares[row]
                if release_in_groups.topic_shares[row].sum()
                else np.ones(len(row))
            )
            np.testing.assert_allclose(
                mean, np.average(parts[row], axis=0, weights=weights), atol=1e-300
            )
    above = release_in_groups.evidence.is_above_noise
    assert arranged.evidence.is_above_noise == tuple(any(above[i] for i in row) for row in rows)
    assert describe_arrangement(replace(release_in_groups, groups=tuple((i,) for i in order))) == ""


def test_arrangement_is_described_in_the_report_with_counts_of_the_release() -> None:
    bare = five_topics()
    arranged = replace(
        bare, groups=((3,), (1, 2)), hidden=((0, 4),), names=(None, "<b>tea</b>", *3 * [None])
    )
    reread = read_release(write_release(arranged), "a file")
    report = render_report(contents_of_release(reread))
    assert (
        "2 of them are merged into 1 topic and 2 are hidden. The released file keeps all of them."
        in report
    )
    assert "4 of 5 topics have a part beyond the noise" in report, "counts are those of the release"
    assert report.index("&lt;b&gt;tea&lt;/b&gt;") > report.index('class="number"'), (
        "the second card"
    )


def test_arrangement_leaves_the_release_as_it_was_to_the_byte() -> None:
    bare = five_topics()
    arranged = replace(
        bare, groups=((3,), (1, 2)), hidden=((0, 4),), names=(None, "<b>tea</b>", *3 * [None])
    )
    reread = read_release(write_release(arranged), "a file")
    assert (
        json.loads(write_release(reread))["checksum"] == json.loads(write_release(bare))["checksum"]
    )
    assert (reread.hidden, write_release(reread.without_additions)) == (
        arranged.hidden,
        write_release(bare),
    )
    assert reread.topics.tolist() == bare.topics.tolist()


def test_name_by_themes_names_topics_with_evidence_by_their_seed_words() -> None:
    words = np.array(
        [[0.1, 0.8, 0.1], [0.8, 0.1, 0.1], [0.3, 0.3, 0.4], [0.4, 0.4, 0.2], [0.1, 0.1, 0.8]]
    )
    release_of_themes = replace(
        five_topics(), topics=words, word_frequencies=np.array([0.4, 0.4, 0.2])
    )
    for theme, expected_name in (("tea time", "tea time"), ("long" * 20, "long" * 15), ("", None)):
        seeds = PriorSource(
            PriorKind.SEEDS, f"{theme}: tea\nmilk: milk, absent\nsweets: sugar\nnowhere: absent"
        )
        assert name_by_themes(release_of_themes, seeds)[:2] == ("milk", expected_name)
    assert name_by_themes(release_of_themes, seeds)[2:] == ("sweets", None, None), (
        "the fifth uses sugar more, without evidence"
    )
    assert (
        name_by_themes(release_of_themes, PriorSource())
        == name_by_themes(release_of_themes, None)
        == ()
    )


@pytest.mark.parametrize(
    "groups", [[[0], [0]], [[]], [[9]], [[-1]], [[True]], ["01"], [[0.0]], 3, [3], {"0": 1}]
)
def test_arrangement_of_topics_the_release_lacks_is_refused(groups) -> None:
    for layer in ({"groups": groups}, {"hidden": groups}, {"groups": [[0]], "hidden": [[0, 1]]}):
        file_content = json.loads(write_release(five_topics())) | layer
        with pytest.raises(
            ReadError, match=r"arranges topics that it does not have|is not a complete release"
        ):
            read_release(json.dumps(file_content).encode(), "a file")
