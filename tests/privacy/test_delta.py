"""A δ of a half or more is claimed, capped and asked for nowhere, and one of 1/N or more is warned of everywhere."""

import math
from pathlib import Path

import numpy as np
import pytest

from dplda import Plan, RefinedLDA, SpectralLDA
from dplda.attacks.audit.promise import make_promise
from dplda.core.errors import InputError
from dplda.corpus import Selection
from dplda.methods.base.problem import Budget
from dplda.methods.dpvi.accounting import noise_multiplier_for
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.noise.exact import ExactNoise
from dplda.privacy.release import Guarantee, Status
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from tests.asking import private_unigram
from tests.tiny_corpora import topical_corpus

WARNED = "A δ of 1/N or more"


def claimed(status: Status, delta: float) -> Guarantee:
    return Guarantee(status, 1.0, delta, (), Adjacency.REPLACE_ONE, ("x",), releasable=False)


ASKED = {
    "plan": lambda delta, path: Plan("adaptive", 1.0, delta),
    "words": lambda delta, path: Selection(delta=delta),
    "refined": lambda delta, path: RefinedLDA(2, epsilon=1.0, delta=delta).fit(
        np.ones((9, 4), dtype=int)
    ),
    "minibatches": lambda delta, path: noise_multiplier_for(
        epsilon=1.0, delta=delta, sampling_rate=0.1, steps=3
    ),
    "noise": lambda delta, path: ExactNoise(epsilon=1.0, delta=delta),
    "unigram": lambda delta, path: private_unigram(topical_corpus(0), Budget(1.0, delta)),
    "audit": lambda delta, path: make_promise(1.0, delta),
    "cap": lambda delta, path: Ledger(Folder(path / "f")).declare("mail", epsilon=1.0, delta=delta),
    "proven": lambda delta, path: claimed(Status.PROVEN, delta),
    "published": lambda delta, path: claimed(Status.AS_PUBLISHED, delta),
}


@pytest.mark.parametrize("delta", [0.5, 1 - 1e-16, 1.0, math.nan])
@pytest.mark.parametrize("question", ASKED)
def test_delta_of_a_half_or_more_is_refused(question: str, delta: float, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"delta must be a number .* below 0\.5"):
        ASKED[question](delta, tmp_path)


def test_delta_of_zero_is_allowed_for_caps_or_pure_guarantees(tmp_path: Path) -> None:
    assert ASKED["cap"](0.0, tmp_path).delta == 0
    assert claimed(Status.PROVEN, 0.0).delta == 0.0


@pytest.mark.parametrize("delta", [4.9e-4, 5e-4, 0.4])
def test_guarantee_with_delta_from_one_over_n_warns(delta: float) -> None:
    corpus = topical_corpus(0)  # 2,000 documents
    model = SpectralLDA(3, plan=Plan("adaptive", 3.0, delta)).fit(corpus)
    assert (WARNED in model.guarantee_.in_words()) == (delta >= 5e-4)
    assert model.guarantee_.status is Status.PROVEN
